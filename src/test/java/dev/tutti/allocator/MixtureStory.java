package dev.tutti.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.job.Lane;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import dev.tutti.testkit.scenario.AllocatorStage;
import dev.tutti.testkit.scenario.TestJobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A random story on two stages; the second is spared the jobs that can never run, which must change nothing for the others. */
final class MixtureStory {

    private static final int STEPS = 40;
    private static final int MOST_ROUNDS = 50;

    private final Random random;
    private final AllocatorStage stage = new AllocatorStage();
    private final AllocatorStage without = new AllocatorStage();
    private final List<String> story = new ArrayList<>();
    private final Random ofNodes;
    private final List<String> leaves = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> least = new HashMap<>();
    private final Map<String, Set<String>> askedFor = new HashMap<>();
    private final Map<String, Integer> seen = new TreeMap<>();
    private int flavors;
    private boolean areRacks;

    MixtureStory(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        ofNodes = new Random(~seed * 0x9E3779B97F4A7C15L);
    }

    @Override
    public String toString() {
        return String.join("\n", story);
    }

    Map<String, Integer> seen() {
        return seen;
    }

    void play() {
        stage.swapTimes();
        without.swapTimes();
        layFleet();
        layQueues();
        for (int step = 0; step < STEPS; step++) {
            for (int events = random.nextInt(4); events >= 0; events--) {
                happen();
            }
            decide();
            if (random.nextInt(8) == 0) {
                comeToRest();
            }
        }
        end();
    }

    private void both(String told, Consumer<AllocatorStage> what) {
        story.add(told);
        what.accept(stage);
        what.accept(without);
    }

    private void layFleet() {
        flavors = 1 + random.nextInt(2);
        areRacks = random.nextBoolean();
        int nodes = 2 + random.nextInt(3);
        for (int n = 1; n <= nodes; n++) {
            String line = "n" + n + " gpus=" + (2 + random.nextInt(7)) + " cpu=" + 1_000 * (8 + random.nextInt(24))
                    + " flavor=" + flavor() + (areRacks ? " rack=r" + random.nextInt(2) : "");
            both("fleet " + line, each -> each.fleet(line));
        }
    }

    private String flavor() {
        return flavors == 1 || random.nextBoolean() ? "a" : "b";
    }

    private void layQueues() {
        int trees = 1 + random.nextInt(3);
        for (int t = 0; t < trees; t++) {
            String top = "t" + t;
            int below = random.nextInt(4);
            addQueue(top, below == 0 || random.nextInt(3) > 0, below == 0);
            for (int q = 0; q < below; q++) {
                addQueue(top + "/q" + q, random.nextInt(5) > 0, true);
            }
        }
    }

    private void addQueue(String path, boolean hasQuota, boolean isLeaf) {
        StringBuilder line = new StringBuilder(path);
        if (hasQuota) {
            line.append(" quota=a:").append(1_000 * random.nextInt(8));
            if (flavors > 1 && random.nextInt(3) > 0) {
                line.append(",b:").append(1_000 * random.nextInt(8));
            }
            if (random.nextInt(3) == 0) {
                line.append(" borrows=a:").append(1_000 * random.nextInt(6));
            }
            if (random.nextInt(3) == 0) {
                line.append(" lends=a:").append(1_000 * random.nextInt(3));
            }
            if (random.nextInt(6) == 0) {
                line.append(" cpu=a:").append(1_000 * (4 + random.nextInt(20)));
            }
        }
        line.append(random.nextInt(4) == 0 ? " weight=" + (1 + random.nextInt(4)) : "");
        line.append(random.nextInt(6) == 0 ? " strict" : "");
        line.append(random.nextInt(6) == 0 ? " jobs=" + (1 + random.nextInt(4)) : "");
        line.append(random.nextInt(8) == 0 ? " userJobs=" + (1 + random.nextInt(3)) : "");
        line.append(ofNodes.nextInt(4) == 0 ? " nodes=a:" + ofNodes.nextInt(3) : "");
        line.append(random.nextInt(6) == 0 ? " past=" + random.nextInt(900_000) : "");
        if (isLeaf) {
            leaves.add(path);
        }
        both("queue " + line, each -> each.queues(line.toString()));
    }

    private void happen() {
        switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5, 6, 7, 8 -> submit();
            case 9 -> submitBad();
            case 10, 11 -> both("leave", AllocatorStage::leave);
            case 12 -> leaveOne();
            case 13 -> endOne();
            case 14 -> cancelOne();
            case 15, 16 -> pass();
            case 17 -> changeLanes();
            case 18 -> {
                long micros = random.nextBoolean() ? 0 : 1_000_000L * random.nextInt(60);
                both("protect " + micros, each -> each.protect(micros));
            }
            default -> {
                long micros = random.nextBoolean() ? 0 : 1_000_000L * (1 + random.nextInt(30));
                both("save every " + micros, each -> each.saveEvery(micros));
            }
        }
    }

    private void submit() {
        String name = "j" + names.size();
        int pods = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1;
        int min = pods > 1 && random.nextBoolean() ? 1 + random.nextInt(pods) : pods;
        String gpus = random.nextInt(8) == 0
                ? " share=" + 250 * (1 + random.nextInt(3))
                : random.nextInt(12) == 0 ? "" : " gpus=" + (1 + random.nextInt(pods > 1 ? 2 : 5));
        int other = random.nextInt(12) == 0 ? 1 + random.nextInt(2) : 0;
        String line = name + " set=w" + gpus + " pods=" + pods + " min=" + min + " cpu=" + 500 * random.nextInt(8)
                + (random.nextInt(4) == 0 ? " flavors=" + flavor() : "")
                + (areRacks && random.nextInt(5) == 0 ? " required=rack" : "") + " queue="
                + leaves.get(random.nextInt(leaves.size())) + " priority=" + random.nextInt(4) + " lane="
                + List.of("green", "yellow", "yellow", "yellow", "red").get(random.nextInt(5)) + " user=u"
                + random.nextInt(2) + (random.nextInt(3) == 0 ? " maxRun=" + (1 + random.nextInt(120)) : "")
                + (other > 0 ? " + ps pods=" + other + " cpu=1000" : "");
        names.add(name);
        least.put(name, min + other);
        both("submit " + line, each -> each.submit(line));
    }

    /** It waits for ever, or until it is cancelled. */
    private void submitBad() {
        String name = "bad" + story.size();
        String queue = leaves.get(random.nextInt(leaves.size()));
        String line = name + " set=w"
                + switch (random.nextInt(5)) {
                    case 0 -> " gpus=1 queue=nowhere";
                    case 1 -> " gpus=1 flavors=none queue=" + queue;
                    case 2 -> " gpus=64 queue=" + queue;
                    case 3 -> " gpus=4 pods=60 queue=" + queue;
                    default -> " gpus=1 required=nowhere queue=" + queue;
                }
                + " priority=" + random.nextInt(9) + " lane=" + (random.nextBoolean() ? "green" : "yellow");
        story.add("submit " + line);
        stage.submit(line);
    }

    private void leaveOne() {
        for (String name : stage.leavingNow()) {
            if (random.nextBoolean()) {
                both("leave " + name, each -> each.leave(name));
            }
        }
    }

    private void endOne() {
        List<String> running = List.copyOf(stage.runningNow());
        if (!running.isEmpty()) {
            String name = running.get(random.nextInt(running.size()));
            both("end " + name, each -> each.end(name));
        }
    }

    private void cancelOne() {
        String name = names.isEmpty() ? "" : names.get(random.nextInt(names.size()));
        if (!name.isEmpty() && (stage.waits(name) || stage.runs(name))) {
            both("cancel " + name, each -> each.cancel(name));
        }
    }

    private void pass() {
        long micros = 1_000_000L * random.nextInt(50);
        both("pass " + micros, each -> each.pass(micros).endThoseOver());
    }

    private void changeLanes() {
        Map<Lane, Long> closed = new HashMap<>();
        Map<Lane, LanesNow.Rate> rates = new HashMap<>();
        Set<Lane> askNobody = new HashSet<>();
        if (random.nextBoolean()) {
            Lane lane = Lane.values()[random.nextInt(3)];
            switch (random.nextInt(4)) {
                case 0 -> closed.put(lane, TestJobs.NOW_MICROS + 1_000_000_000L);
                case 1 -> rates.put(lane, new LanesNow.Rate(1, 1, 0));
                case 2 -> closed.put(Lane.RED, Long.MAX_VALUE);
                default -> askNobody.add(lane);
            }
        }
        LanesNow lanes = new LanesNow(closed, rates, askNobody);
        both("lanes " + lanes, each -> each.lanes(lanes));
    }

    private List<String> decide() {
        story.add("decide at " + stage.second());
        List<String> told = stage.decide();
        story.addAll(told.stream().map(line -> "    " + line).toList());
        assertThat(without.decide())
                .as("C12: as without the jobs that can never run")
                .isEqualTo(told.stream().filter(line -> !line.startsWith("bad")).toList());
        seen.merge("decisions", 1, Integer::sum);
        told.forEach(this::follow);
        checkJobs();
        return told;
    }

    private void follow(String line) {
        String[] words = line.split(" ");
        if (words[1].equals("starts")) {
            assertThat(words[0]).as("a job that can never run").doesNotStartWith("bad");
            askedFor.remove(words[0]);
            seen.merge("starts", 1, Integer::sum);
        } else if (words[2].equals("for")) {
            assertThat(askedFor.computeIfAbsent(words[3], first -> new HashSet<>())
                            .add(words[0]))
                    .as("C8: asked once for the same: " + line)
                    .isTrue();
            seen.merge("evictions", 1, Integer::sum);
        }
    }

    private void checkJobs() {
        Set<String> leaving = stage.leavingNow();
        for (String name : names) {
            if (stage.runs(name) && !leaving.contains(name)) {
                assertThat(stage.ranks(name)).as("C4: members of " + name).hasSizeGreaterThanOrEqualTo(least.get(name));
            }
            if (stage.waits(name)) {
                Reason verdict = stage.verdict(name);
                assertThat(verdict).as("C11: why " + name + " waits").isNotNull();
                if (verdict.code() == ReasonCode.WAITING_FOR_CAPACITY
                        || verdict.code() == ReasonCode.WAITING_FOR_QUOTA) {
                    assertThat(verdict.wanted())
                            .as("C11: what " + name + " lacks: " + verdict)
                            .isGreaterThan(verdict.available());
                }
            }
        }
    }

    /** Nothing happens but that those leave who were asked: it ends, and nobody left in vain. */
    private void comeToRest() {
        Set<String> beneficiaries = new HashSet<>();
        for (int round = 0; ; round++) {
            assertThat(round).as("rounds until nothing changes").isLessThan(MOST_ROUNDS);
            List<String> told = decide();
            told.stream().filter(line -> line.contains(" for ")).forEach(line -> beneficiaries.add(line.split(" ")[3]));
            told.stream()
                    .filter(line -> line.endsWith(" starts"))
                    .forEach(line -> beneficiaries.remove(line.split(" ")[0]));
            boolean isAtRest = told.isEmpty() && stage.leavingNow().isEmpty();
            both("leave", AllocatorStage::leave);
            if (isAtRest) {
                break;
            }
        }
        assertThat(beneficiaries).as("C7: for whom others left").isEmpty();
        for (String name : stage.waitingNow()) {
            assertThat(stage.verdict(name).code())
                    .as("C11: nobody is leaving, and " + name + " waits")
                    .isNotEqualTo(ReasonCode.WAITING_FOR_VICTIMS);
        }
    }

    /** C5: everybody goes, and nothing is held or kept. */
    private void end() {
        for (String name : names) {
            both("end " + name, each -> each.cancel(name).end(name));
        }
        story.add("all are gone");
        stage.decide();
        seen.merge("swapped times", stage.swappedTimes(), Integer::sum);
        assertThat(stage.heldMilli()).isZero();
        assertThat(stage.runningNow()).isEmpty();
        assertThat(stage.reserved()).isEmpty();
    }
}
