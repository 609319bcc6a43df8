package dev.tutti;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The main class: starts the service. */
@SpringBootApplication
public class Tutti {

    public static void main(String[] arguments) {
        SpringApplication.run(Tutti.class, arguments);
    }
}
