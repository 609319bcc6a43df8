package dev.tutti.allocator;

import dev.tutti.testkit.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlacementScenariosTest {

    @Test
    void tightestNodeForWholeGpus() {
        Scenario.of("small pods take small holes, whole nodes stay whole")
                .fleet("n1 gpus=8", "n2 gpus=8 used=5", "n3 gpus=8 used=4")
                .submit("a gpus=3", "b gpus=4", "c gpus=8")
                .expect("a -> n2", "b -> n3", "c -> n1");
    }

    @Test
    void sharesShareBeforeTheyBreakAWholeGpu() {
        Scenario.of("the tightest device first, a whole one last")
                .fleet("n1 gpus=4 shares=400", "n2 gpus=4 shares=700", "n3 gpus=2 used=1")
                .submit("a share=300", "b share=500", "c share=500")
                .expect("a -> n2", "b -> n1", "c -> n3");
    }

    @Test
    void aShareOfAThousandIsAWholeGpu() {
        Scenario.of("a share of 1000 takes a device that nobody shares")
                .fleet("n1 gpus=1 shares=1", "n2 gpus=1")
                .submit("a share=1000", "b share=999")
                .expect("a -> n2", "b -> n1");
    }

    @Test
    void cpuOnlyPods() {
        Scenario.of("nodes without GPUs first, then where no GPU is free, then where most CPU stays")
                .fleet("c1 cpu=1000", "n1 gpus=1 used=1 cpu=1000", "n2 gpus=4 cpu=2000", "n3 gpus=4 cpu=4000")
                .submit("a cpu=1000", "b cpu=1000", "c cpu=1000")
                .expect("a -> c1", "b -> n1", "c -> n3");
    }

    @Test
    void cpuMemoryAndPodSlotsBound() {
        Scenario.of("a node with GPUs but without CPU, memory or a slot is full")
                .fleet("n1 gpus=8 cpu=1000", "n2 gpus=8 memory=100", "n3 gpus=8 slots=0", "n4 gpus=8 used=7")
                .submit("a gpus=1 cpu=2000 memory=200", "b gpus=1 cpu=2000 memory=200")
                .expect("a -> n4", "b waits FRAGMENTED gpuMilli 1000 of 24000");
        Scenario.of("a node in debt takes what asks nothing of the debt")
                .fleet("n1 gpus=2 cpu=1000 cpuUsed=2000")
                .submit("a gpus=1", "b gpus=1 cpu=1")
                .expect("a -> n1", "b waits WAITING_FOR_CAPACITY cpuMilli 1 of 0");
    }

    @Test
    void islandsWithinANode() {
        Scenario.of("a pod gets one island before it gets two halves")
                .fleet("n1 gpus=8 used=2 islands=4,4", "n2 gpus=8 used=4 islands=2,2,2,2")
                .submit("a gpus=4")
                .expect("a -> n1");
        Scenario.of("PCIe does where nothing else is left")
                .fleet("n2 gpus=8 used=4 islands=2,2,2,2")
                .submit("a gpus=4")
                .expect("a -> n2");
    }

    @Test
    void sickDevicesAreNotThere() {
        Scenario.of("sick devices are not free, but the job is not too large for ever")
                .fleet("n1 gpus=8 sick=2")
                .submit("a gpus=8", "b gpus=6")
                .expect("a waits WAITING_FOR_CAPACITY gpuMilli 8000 of 0", "b -> n1");
    }

    @Test
    @DisplayName("B28 80 shares of 0.18 fill 16 GPUs, five on each, and one more waits")
    void b28Eighteen() {
        List<String> jobs = shares(81, 180);
        Scenario scenario = Scenario.of("80 x 0.18").fleet("n1 gpus=8", "n2 gpus=8");
        scenario.submit(jobs.toArray(String[]::new))
                .expect(expected(jobs, 80, "waits FRAGMENTED gpuMilli 180 of 1600"));
    }

    @Test
    @DisplayName("B28 ten shares of 0.1 fit exactly on one GPU, the eleventh waits")
    void b28Tenths() {
        List<String> jobs = shares(11, 100);
        Scenario.of("11 x 0.1")
                .fleet("n1 gpus=1")
                .submit(jobs.toArray(String[]::new))
                .expect(expected(jobs, 10, "waits WAITING_FOR_CAPACITY gpuMilli 100 of 0"));
    }

    @Test
    @DisplayName("B28 48 of 54 shares of 0.15 fit on eight GPUs")
    void b28Fifteen() {
        List<String> jobs = shares(54, 150);
        Scenario.of("54 x 0.15")
                .fleet("n1 gpus=8")
                .submit(jobs.toArray(String[]::new))
                .expect(expected(jobs, 48, "waits FRAGMENTED gpuMilli 150 of 800"));
        Scenario.of("as one gang")
                .fleet("n1 gpus=8")
                .submit("all share=150 pods=54 min=54")
                .expect("all waits EXCEEDS_LIMIT gpuMilli 8100 of 7200");
    }

    private static List<String> shares(int count, int milli) {
        return IntStream.range(0, count)
                .mapToObj(i -> "j" + i + " share=" + milli)
                .toList();
    }

    private static String[] expected(List<String> jobs, int starting, String rest) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < jobs.size(); i++) {
            lines.add("j" + i + " " + (i < starting ? "starts" : rest));
        }
        return lines.toArray(String[]::new);
    }
}
