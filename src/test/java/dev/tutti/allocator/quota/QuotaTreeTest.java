package dev.tutti.allocator.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.Use;
import dev.tutti.testkit.QuotaOracle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random trees of queues, against the rules told plainly. */
class QuotaTreeTest {

    private static final int STEPS = 20;

    @Property(tries = 2_000)
    void whatIsTakenIsExactlyWhatTheRulesAllow(@ForAll long seed) {
        Random random = new Random(seed);
        Trees trees = new Trees(random);
        Map<String, Use> use = new HashMap<>();
        QuotaTree tree = trees.tree(use);
        for (int step = 0; step < STEPS; step++) {
            String leaf = trees.anyLeaf();
            Lane lane = Lane.values()[random.nextInt(3)];
            long room = tree.room(trees.paths.indexOf(leaf), lane, 0);
            QuotaOracle before = trees.oracle(use);
            if (room == QuotaTree.UNLIMITED) {
                assertThat(broken(trees, use, leaf, lane, 1_000_000))
                        .as(before + " " + leaf + " " + lane)
                        .isEmpty();
                room = random.nextInt(10);
            } else {
                assertThat(broken(trees, use, leaf, lane, room))
                        .as(before + " " + leaf + " " + lane)
                        .isEmpty();
                assertThat(broken(trees, use, leaf, lane, room + 1))
                        .as(before + " " + leaf + " " + lane + " has room for more than " + room)
                        .isNotEmpty();
            }
            long taken = random.nextLong(room + 1);
            tree.take(trees.paths.indexOf(leaf), lane, 0, taken);
            use.merge(leaf, Use.NONE.plus(lane, taken), (held, more) -> held.plus(lane, taken));
            QuotaTree anew = trees.tree(use);
            for (String other : trees.leaves()) {
                for (Lane each : Lane.values()) {
                    int queue = trees.paths.indexOf(other);
                    assertThat(tree.room(queue, each, 0))
                            .as("counted up as from the start: " + trees.oracle(use) + " " + other + " " + each)
                            .isEqualTo(anew.room(queue, each, 0));
                }
            }
        }
    }

    @Property(tries = 2_000)
    void aDebtIsNotGrownAndNobodyElsePaysIt(@ForAll long seed) {
        Random random = new Random(seed);
        Trees trees = new Trees(random);
        Map<String, Use> use = new HashMap<>();
        trees.leaves()
                .forEach(leaf -> use.put(leaf, new Use(random.nextInt(12), random.nextInt(12), random.nextInt(9))));
        QuotaTree tree = trees.tree(use);
        for (String leaf : trees.leaves()) {
            for (Lane lane : Lane.values()) {
                long room = tree.room(trees.paths.indexOf(leaf), lane, 0);
                long taken = room == QuotaTree.UNLIMITED ? 1_000 : room;
                assertThat(broken(trees, use, leaf, lane, taken))
                        .as(trees.oracle(use) + " " + leaf + " " + lane)
                        .isEmpty();
                if (room != QuotaTree.UNLIMITED) {
                    assertThat(broken(trees, use, leaf, lane, room + 1)).isNotEmpty();
                }
            }
        }
    }

    private static List<String> broken(Trees trees, Map<String, Use> use, String leaf, Lane lane, long amount) {
        Map<String, Use> after = new HashMap<>(use);
        after.merge(leaf, Use.NONE.plus(lane, amount), (held, more) -> held.plus(lane, amount));
        return trees.oracle(after).brokenSince(trees.oracle(use));
    }

    /** Random queues with random quotas, those below never promised more than those above. */
    private static final class Trees {
        final List<String> paths = new ArrayList<>();
        final Map<String, Quota> quotas = new HashMap<>();
        private final Random random;

        Trees(Random random) {
            this.random = random;
            int queues = 1 + random.nextInt(7);
            for (int q = 0; q < queues; q++) {
                String above = paths.isEmpty() || random.nextInt(3) == 0 ? "" : paths.get(random.nextInt(q)) + "/";
                paths.add(above + "q" + q);
            }
            for (String path : paths) {
                if (random.nextInt(3) > 0) {
                    quotas.put(path, new Quota(random.nextInt(20), limit(), limit()));
                }
            }
        }

        private Long limit() {
            return random.nextBoolean() ? null : (Long) (long) random.nextInt(10);
        }

        List<String> leaves() {
            return paths.stream()
                    .filter(path -> paths.stream().noneMatch(other -> other.startsWith(path + "/")))
                    .toList();
        }

        String anyLeaf() {
            return leaves().get(random.nextInt(leaves().size()));
        }

        QuotaOracle oracle(Map<String, Use> use) {
            return new QuotaOracle(paths, quotas, Map.copyOf(use));
        }

        QuotaTree tree(Map<String, Use> use) {
            int[] parent = paths.stream()
                    .mapToInt(path -> path.contains("/") ? paths.indexOf(path.substring(0, path.lastIndexOf('/'))) : -1)
                    .toArray();
            QuotaTree tree = new QuotaTree(parent, 1);
            quotas.forEach((path, quota) -> tree.limit(
                    paths.indexOf(path),
                    0,
                    quota.nominal(),
                    quota.borrowingLimit() == null ? QuotaTree.UNLIMITED : quota.borrowingLimit(),
                    quota.kept()));
            use.forEach((path, held) -> tree.use(paths.indexOf(path), 0, held.green(), held.counted()));
            tree.settle();
            return tree;
        }
    }
}
