package dev.tutti.web;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.Plan;
import dev.tutti.control.Identities;
import dev.tutti.control.explain.Explainer;
import dev.tutti.control.intake.JobIntake;
import dev.tutti.control.intake.QueueTrial;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.web.input.Hashes;
import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The web door alone: all of Spring MVC and its security, no database. */
@EnableAutoConfiguration(
        excludeName = {
            "dev.tutti.boot.postgres.EmbeddedPostgresAutoConfiguration",
            "dev.tutti.boot.postgres.MigrationConnectionAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration",
            "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration"
        })
@Import(WebDoor.class)
class WebApp {

    private static final TopologyLevels LEVELS = new TopologyLevels(List.of(
            new TopologyLevels.Level("zone", List.of("zone")),
            new TopologyLevels.Level("block", List.of("block")),
            new TopologyLevels.Level("rack", List.of("rack"))));

    /** The key of a role in tests. */
    static String key(Identities.Role role) {
        return "tutti_" + role.word();
    }

    @Bean
    MemoryQueues queues() {
        return new MemoryQueues();
    }

    @Bean
    MemoryEvents events() {
        return new MemoryEvents();
    }

    @Bean
    MemoryJobs jobs(MemoryQueues queues, MemoryEvents events) {
        return new MemoryJobs(queues, events);
    }

    @Bean
    MemoryFleet fleet() {
        return new MemoryFleet();
    }

    /** Every role has one key. */
    @Bean
    MemoryKeys keys() {
        MemoryKeys keys = new MemoryKeys();
        for (Identities.Role role : Identities.Role.values()) {
            keys.ensure(role.word(), role, Hashes.sha256(key(role)));
        }
        return keys;
    }

    @Bean
    JobIntake intake(MemoryJobs jobs, MemoryFleet fleet, MemoryQueues queues) {
        return new JobIntake(jobs, fleet, queues, LEVELS, nothingFits());
    }

    @Bean
    Explainer explainer(JobIntake intake, MemoryJobs jobs) {
        return new Explainer(intake.present(), jobs, nothingFits());
    }

    @Bean
    QueueTrial trial(MemoryFleet fleet) {
        return new QueueTrial(fleet, LEVELS, nothingFits());
    }

    /** The engine has its own tests; here every job waits. */
    private static Allocator nothingFits() {
        Reason reason = new Reason(ReasonCode.WAITING_FOR_CAPACITY, "gpuMilli", 16_000, 8_000, "too little is free");
        return (snapshot, waiting, now) -> new Plan(
                snapshot.revision(),
                List.of(),
                waiting.stream()
                        .map(job -> new Plan.Wait(job.job(), job.version(), reason))
                        .toList());
    }
}
