package dev.tutti.testkit.postgres;

/**
 * One running PostgreSQL server that a test process may fill with databases.
 *
 * @param name what it is, for the line that says which server the tests ran on
 * @param host the host its port is on
 * @param port the port it listens on
 * @param user a superuser
 * @param password the user's password; any text where the server asks for none
 */
record PostgresServer(String name, String host, int port, String user, String password) {

    String url(String database) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }
}
