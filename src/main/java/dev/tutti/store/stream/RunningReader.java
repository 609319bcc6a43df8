package dev.tutti.store.stream;

import dev.tutti.allocator.Growth;
import dev.tutti.allocator.Plan.PodPlacement;
import dev.tutti.allocator.RunningJob;
import dev.tutti.allocator.WaitingJob;
import dev.tutti.control.view.VictimRules;
import dev.tutti.model.JobId;
import dev.tutti.model.NodeId;
import dev.tutti.model.QueueId;
import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologyWish;
import dev.tutti.store.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes running jobs of two kinds of rows of {@link ChangeSql}: the job's own and one of each living member. */
final class RunningReader {

    private static final Logger LOG = LoggerFactory.getLogger(RunningReader.class);

    private final VictimRules victims;
    /** What makes each job once its members are known. */
    private final Map<UUID, Function<List<PodPlacement>, RunningJob>> jobs = new HashMap<>();

    private final Map<UUID, List<PodPlacement>> members = new HashMap<>();
    private final Map<UUID, Wish> wishes = new HashMap<>();
    /** Ranks of members that are asked to leave while the others run on. */
    private final Map<UUID, Set<Integer>> leaving = new HashMap<>();
    /** For whom they leave. */
    private final Map<UUID, Set<JobId>> leavingFor = new HashMap<>();
    /** Values of this reading that thousands of members share. */
    private final Map<Long, NodeId> nodes = new HashMap<>();

    private final Map<String, Map<String, Integer>> minCounts = new HashMap<>();
    private final Map<String, String> words = new HashMap<>();

    RunningReader(VictimRules victims) {
        this.victims = victims;
    }

    void takeJob(ResultSet row) throws SQLException {
        UUID id = row.getObject("job", UUID.class);
        long version = row.getLong("n1");
        QueueId queue = new QueueId(row.getLong("n2"));
        Lane lane = Lane.valueOf(row.getString("t1").toUpperCase(Locale.ROOT));
        int priority = row.getInt("n3");
        long submittedAt = row.getLong("n4");
        long startedAt = row.getLong("n5");
        long endsBy = row.getLong("n6");
        long protectedUntil = Math.max(victims.protectedUntilMicros(row.getLong("n7")), row.getLong("n8"));
        long checkpoint = row.getLong("n9") * 1_000_000;
        boolean leaving = row.getBoolean("yes");
        Map<String, Integer> minCounts = minCounts(id, row.getString("t3"));
        String beneficiary = row.getString("t2");
        if (beneficiary != null) {
            leavingFor(id).add(new JobId(UUID.fromString(beneficiary)));
        }
        Set<JobId> askedFor = jobs(row.getString("t4"));
        String user = shared(row.getString("t7"));
        takeWish(id, row);
        jobs.put(
                id,
                living -> new RunningJob(
                        new JobId(id),
                        version,
                        queue,
                        lane,
                        priority,
                        submittedAt,
                        startedAt,
                        endsBy,
                        protectedUntil,
                        leaving,
                        leavingFor(id),
                        living,
                        leaving(id),
                        minCounts,
                        askedFor,
                        user,
                        checkpoint));
    }

    private Set<JobId> leavingFor(UUID job) {
        return leavingFor.computeIfAbsent(job, first -> new HashSet<>());
    }

    private static Set<JobId> jobs(@Nullable String ids) {
        return ids == null
                ? Set.of()
                : Arrays.stream(ids.split(","))
                        .map(id -> new JobId(UUID.fromString(id)))
                        .collect(Collectors.toSet());
    }

    private Set<Integer> leaving(UUID job) {
        return leaving.getOrDefault(job, Set.of());
    }

    void takeMember(ResultSet row) throws SQLException {
        UUID id = row.getObject("job", UUID.class);
        if (row.getBoolean("yes")) {
            leaving.computeIfAbsent(id, job -> new HashSet<>()).add(row.getInt("n1"));
            leavingFor(id).addAll(jobs(row.getString("t6")));
        }
        members.computeIfAbsent(id, job -> new ArrayList<>())
                .add(new PodPlacement(
                        shared(row.getString("t1")),
                        row.getInt("n1"),
                        nodes.computeIfAbsent(row.getLong("id"), NodeId::new),
                        shared(row.getString("t2")),
                        ids(row.getString("t3")),
                        row.getInt("n2"),
                        row.getLong("n3"),
                        row.getLong("n4"),
                        instance(row.getString("t5"), row.getInt("n5"), row.getInt("n6")),
                        ids(row.getString("t4"))));
    }

    private void takeWish(UUID job, ResultSet row) throws SQLException {
        String sets = row.getString("t5");
        try {
            if (sets != null) {
                wishes.put(
                        job,
                        new Wish(
                                List.of(Json.read(sets, PodSet[].class)),
                                Objects.requireNonNull(Json.read(row.getString("t6"), TopologyWish.class)),
                                row.getInt("n10"),
                                row.getLong("n11")));
            }
        } catch (RuntimeException e) {
            LOG.warn("the stored spec of job {} cannot be read: {}", job, e.getMessage());
        }
    }

    /** What these jobs, as read, want in addition. */
    List<WaitingJob> growing(List<RunningJob> jobs) {
        List<WaitingJob> all = new ArrayList<>();
        for (RunningJob job : jobs) {
            Wish wish = wishes.get(job.job().value());
            WaitingJob growing = wish == null
                    ? null
                    : Growth.of(job, wish.sets(), wish.topology(), wish.firstRank(), wish.notBeforeMicros());
            if (growing != null) {
                all.add(growing);
            }
        }
        return all;
    }

    /** What a job asks for that has less. */
    private record Wish(List<PodSet> sets, TopologyWish topology, int firstRank, long notBeforeMicros) {}

    /** All jobs read that have a living member. */
    List<RunningJob> jobs() {
        List<RunningJob> all = new ArrayList<>();
        members.forEach((id, living) -> {
            Function<List<PodPlacement>, RunningJob> job = jobs.get(id);
            if (job != null) {
                living.sort(Comparator.comparingInt(PodPlacement::rank));
                all.add(job.apply(living));
            }
        });
        return all;
    }

    /** None where the stored spec cannot be read: what nobody can read is left alone, and stops no other job. */
    private Map<String, Integer> minCounts(UUID job, @Nullable String json) {
        try {
            return json == null
                    ? Map.of()
                    : minCounts.computeIfAbsent(json, text -> Map.copyOf(Json.read(text, MinCounts.class)));
        } catch (RuntimeException e) {
            LOG.warn("the pod sets of job {} cannot be read: {}", job, e.getMessage());
            return Map.of();
        }
    }

    private @Nullable MigInstance instance(@Nullable String profile, int start, int units) {
        return profile == null ? null : new MigInstance(shared(profile), start, units);
    }

    private String shared(String word) {
        return words.computeIfAbsent(word, fresh -> fresh);
    }

    /** Ids as the database writes an array of them, such as <code>{1,2}</code>. */
    private static List<Long> ids(String array) {
        List<Long> ids = new ArrayList<>();
        for (int from = 1; from < array.length() - 1; ) {
            int comma = array.indexOf(',', from);
            int to = comma < 0 ? array.length() - 1 : comma;
            ids.add(Long.parseLong(array, from, to, 10));
            from = to + 1;
        }
        return ids;
    }

    /** By the names of pod sets. */
    private static final class MinCounts extends HashMap<String, Integer> {
        private static final long serialVersionUID = 1;
    }
}
