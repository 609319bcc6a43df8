package dev.tutti.boot.postgres;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A service that has nothing but its database: prints where it is, then waits to be stopped or killed. */
final class DatabaseProcess {

    private DatabaseProcess() {}

    public static void main(String[] arguments) throws InterruptedException {
        try {
            DataFolder folder = DataFolder.open(Path.of(arguments[0]));
            EmbeddedDatabase database = EmbeddedDatabase.start(folder);
            Runtime.getRuntime().addShutdownHook(new Thread(database::close));
            System.out.println("READY " + database.getJdbcUrl() + " " + database.getPassword());
        } catch (RuntimeException e) {
            System.out.println("REFUSED " + e.getMessage());
            System.exit(1);
        }
        new CountDownLatch(1).await();
    }
}
