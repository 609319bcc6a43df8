package dev.tutti.boot.loops;

import dev.tutti.allocator.Allocator;
import dev.tutti.allocator.GangAllocator;
import dev.tutti.control.JobBook;
import dev.tutti.control.Leadership;
import dev.tutti.control.explain.Explainer;
import dev.tutti.control.intake.JobIntake;
import dev.tutti.control.intake.QueueTrial;
import dev.tutti.control.read.JobQueries;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.view.ChangeFeed;
import dev.tutti.model.fleet.TopologyLevels;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The engine, the way in for jobs, and the bells between them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(TopologySettings.class)
class LoopConfiguration {

    @Bean
    Bells bells() {
        return new Bells();
    }

    @Bean
    Leadership leadership(LeaseConnection connection) {
        return connection.leadership();
    }

    @Bean
    Allocator allocator(PolicySetting setting) {
        return new GangAllocator(setting.policy());
    }

    @Bean
    TopologyLevels topologyLevels(TopologySettings settings) {
        return settings.toLevels();
    }

    @Bean
    @Primary
    JobBook ringingJobBook(@Qualifier("sqlJobBook") JobBook book, Bells bells) {
        return new RingingJobBook(book, bells);
    }

    @Bean
    JobIntake jobIntake(
            JobBook book, ChangeFeed feed, QueueQueries queues, TopologyLevels levels, Allocator allocator) {
        return new JobIntake(book, feed, queues, levels, allocator);
    }

    /** Sees what the way in sees: one copy of the fleet serves both. */
    @Bean
    Explainer explainer(JobIntake intake, JobQueries jobs, Allocator allocator) {
        return new Explainer(intake.present(), jobs, allocator);
    }

    @Bean
    QueueTrial queueTrial(ChangeFeed feed, TopologyLevels levels, Allocator allocator) {
        return new QueueTrial(feed, levels, allocator);
    }
}
