package dev.tutti.testkit;

import dev.tutti.model.queue.Quota;
import dev.tutti.model.queue.Use;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of quota once more, told plainly over the paths of the queues and one resource, to compare the allocator and
 * the database with.
 *
 * @param paths all queues; {@code a/b} stands below {@code a}
 * @param quotas own quota by path
 * @param use what the jobs of each leaf hold
 */
public record QuotaOracle(Collection<String> paths, Map<String, Quota> quotas, Map<String, Use> use) {

    /** The pool above all queues. */
    private static final String POOL = "";

    /** What is broken; empty when nothing is. */
    public List<String> broken() {
        return brokenSince(null);
    }

    /** What is broken by growth since {@code before}: debts that only shrank are no fault. */
    public List<String> brokenSince(@Nullable QuotaOracle before) {
        List<String> broken = new ArrayList<>();
        List<String> all = new ArrayList<>(paths);
        all.add(POOL);
        for (String path : all) {
            if (!isBound(path)) {
                long green = use(path).green();
                if (isLeaf(path)
                        && isBound(POOL)
                        && green > (before == null ? 0 : before.use(path).green())) {
                    broken.add(path + " holds " + green + " for green jobs and was promised nothing");
                }
                continue;
            }
            long claim = claim(path);
            Long most = ceiling(path);
            if (most != null && claim > most && claim > (before == null ? 0 : before.claim(path))) {
                broken.add(path + " claims " + claim + " of at most " + most);
            }
            Long promised = quota(path);
            long green = green(path);
            if (promised != null && green > promised && green > (before == null ? 0 : before.green(path))) {
                broken.add(path + " holds " + green + " for green jobs of " + promised + " promised");
            }
        }
        return broken;
    }

    private List<String> below(String path) {
        return paths.stream().filter(other -> parent(other).equals(path)).toList();
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? POOL : path.substring(0, slash);
    }

    private boolean isLeaf(String path) {
        return !path.equals(POOL) && below(path).isEmpty();
    }

    private @Nullable Long quota(String path) {
        if (quotas.containsKey(path)) {
            return quotas.get(path).nominal();
        }
        List<Long> sums = new ArrayList<>();
        for (String child : below(path)) {
            Long quota = quota(child);
            if (quota != null) {
                sums.add(quota);
            }
        }
        return sums.isEmpty() ? null : sums.stream().mapToLong(Long::longValue).sum();
    }

    private @Nullable Long ceiling(String path) {
        if (path.equals(POOL)) {
            return quota(POOL);
        }
        Quota own = quotas.get(path);
        return own == null || own.borrowingLimit() == null ? null : own.nominal() + own.borrowingLimit();
    }

    private boolean isBound(String path) {
        return quota(path) != null || !path.equals(POOL) && !parent(path).equals(POOL) && isBound(parent(path));
    }

    private long kept(String path) {
        return quotas.containsKey(path) ? quotas.get(path).kept() : 0;
    }

    private Use use(String path) {
        return use.getOrDefault(path, Use.NONE);
    }

    private long claim(String path) {
        return isLeaf(path)
                ? use(path).counted()
                : below(path).stream()
                        .filter(this::isBound)
                        .mapToLong(child -> Math.max(claim(child), kept(child)))
                        .sum();
    }

    private long green(String path) {
        return isLeaf(path)
                ? use(path).green()
                : below(path).stream()
                        .filter(this::isBound)
                        .mapToLong(this::promisedOrHeld)
                        .sum();
    }

    private long promisedOrHeld(String child) {
        Long quota = quota(child);
        return Math.max(green(child), quota == null ? 0 : quota);
    }
}
