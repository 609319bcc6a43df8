package dev.tutti.simulator;

import dev.tutti.control.ClusterGateway;
import dev.tutti.control.ClusterGateway.Outcome;
import dev.tutti.control.PodOrder;
import dev.tutti.model.ClusterId;
import dev.tutti.model.fleet.NodeSighting;
import dev.tutti.model.fleet.PodSighting;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/** Works on a simulated cluster as fast as it can, and prints what it was answered and told, until it is killed. */
final class DoomedProcess {

    private static final int THREADS = 4;

    private DoomedProcess() {}

    public static void main(String[] args) throws InterruptedException {
        int first = Integer.parseInt(args[1]);
        SimulatedCluster cluster = SimulatedCluster.open(
                Path.of(args[0]), List.of(FakeClusterUnderTest.node("node-a")), Clock.systemUTC());
        ClusterGateway gateway = cluster.gateway(new ClusterId(1));
        gateway.watch(new Printer());
        for (int t = 0; t < THREADS; t++) {
            int from = first + t;
            Thread thread = new Thread(() -> work(gateway, from));
            thread.setDaemon(true);
            thread.start();
        }
        while (true) {
            cluster.step();
            Thread.sleep(5);
        }
    }

    private static void work(ClusterGateway gateway, int from) {
        for (int number = from; ; number += THREADS) {
            PodOrder order = TestOrders.order(number).share(1).runtime(1).make();
            PodSighting pod = ((Outcome.Done) gateway.create(order)).pod();
            if (number % 3 == 0) {
                gateway.delete(pod.name(), pod.uid());
                say("removed " + pod.name() + " " + pod.uid() + " -");
            } else {
                gateway.bind(pod, order, 1);
                say("bound " + pod.name() + " " + pod.uid() + " -");
            }
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Tells what the watch says. */
    private static final class Printer implements ClusterGateway.Inbox {
        @Override
        public void pod(PodSighting pod) {
            if (pod.node() != null && !pod.deleted()) {
                say("saw " + pod.name() + " " + pod.uid() + " " + pod.phase());
            }
        }

        @Override
        public void node(NodeSighting node) {}

        @Override
        public void gap() {}
    }
}
