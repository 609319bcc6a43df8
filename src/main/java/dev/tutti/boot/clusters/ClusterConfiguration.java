package dev.tutti.boot.clusters;

import dev.tutti.boot.loops.Cluster;
import dev.tutti.control.FleetBook;
import dev.tutti.simulator.SimulatedCluster;
import dev.tutti.simulator.fleet.Fleets;
import dev.tutti.simulator.fleet.NodeSpec;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A registered cluster replaces the simulated one; nothing else changes. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ClusterSettings.class)
class ClusterConfiguration {

    @Bean
    @ConditionalOnExpression("'${tutti.cluster.url:}' != ''")
    Cluster realCluster(ClusterSettings settings, FleetBook fleet) {
        return RealCluster.connect(settings, fleet);
    }

    /** The simulated cluster of this machine. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnExpression("'${tutti.cluster.url:}' == ''")
    static class Simulated {

        @Bean(destroyMethod = "close")
        SimulatedCluster simulatedMachines(
                @Value("${tutti.data-dir}") String dataDir, @Value("${tutti.simulator.fleet}") String fleet) {
            return SimulatedCluster.open(Path.of(dataDir).resolve("cluster"), machines(fleet), InstantSource.system());
        }

        private static List<NodeSpec> machines(String fleet) {
            try {
                return Fleets.named(fleet);
            } catch (IllegalArgumentException wrong) {
                throw new FailureAnalyzedException(
                        String.valueOf(wrong.getMessage()),
                        "Correct TUTTI_SIMULATOR_FLEET (or tutti.simulator.fleet).",
                        wrong);
            }
        }

        @Bean
        SimulatedClock simulatedClock(SimulatedCluster machines) {
            return new SimulatedClock(machines);
        }

        @Bean
        Cluster simulatedCluster(ClusterSettings settings, SimulatedCluster machines, FleetBook fleet) {
            String name = settings.nameOr("simulated");
            return new Cluster(name, machines.gateway(fleet.register(name, "simulated")));
        }
    }
}
