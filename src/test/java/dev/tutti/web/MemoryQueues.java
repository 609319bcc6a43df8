package dev.tutti.web;

import dev.tutti.control.Actor;
import dev.tutti.control.LaneBook;
import dev.tutti.control.QueueBook;
import dev.tutti.control.read.Page;
import dev.tutti.control.read.PageRequest;
import dev.tutti.control.read.QueueQueries;
import dev.tutti.control.read.QueueQueries.LimitUse;
import dev.tutti.model.job.Lane;
import dev.tutti.model.queue.LaneRules;
import dev.tutti.model.queue.PastShare;
import dev.tutti.model.queue.QueueRules;
import dev.tutti.model.queue.Quotas;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Queues in memory, by the rules that the ports promise. */
final class MemoryQueues implements QueueBook, LaneBook, QueueQueries {

    private final Map<Long, QueueView> rows = new TreeMap<>();
    private final Map<String, Kept> keys = new HashMap<>();
    private final Map<Lane, LaneRules> rules = new EnumMap<>(Lane.class);
    private final Map<Lane, Long> laneVersions = new EnumMap<>(Lane.class);
    private long nextId = 1;

    private record Kept(String bodyHash, byte[] answer) {}

    MemoryQueues() {
        for (String path : List.of("default", "research", "research/llm")) {
            create(path, Quotas.NONE, QueueRules.PLAIN, new Actor.Caller("test"));
        }
    }

    @Override
    public synchronized Changed create(String path, Quotas quotas, QueueRules rules, Actor.Caller caller) {
        int slash = path.lastIndexOf('/');
        Optional<QueueView> parent = slash < 0 ? Optional.empty() : queue(path.substring(0, slash));
        if (slash >= 0 && parent.isEmpty()) {
            return new Changed.Refused("path", "there is no queue " + path.substring(0, slash));
        }
        if (queue(path).isPresent()) {
            return new Changed.Refused("path", "there is a queue of this path already");
        }
        long id = nextId++;
        rows.put(
                id,
                new QueueView(
                        id,
                        path,
                        parent.map(QueueView::id).orElse(null),
                        true,
                        rules,
                        0,
                        quotas,
                        Map.of(),
                        PastShare.NONE,
                        0,
                        0,
                        LimitUse.NONE));
        return new Changed.Done(id, 0);
    }

    @Override
    public synchronized boolean change(Lane lane, long version, LaneRules now, Actor.Caller caller) {
        if (laneVersions.getOrDefault(lane, 0L) != version) {
            return false;
        }
        laneVersions.put(lane, version + 1);
        rules.put(lane, now);
        return true;
    }

    private LaneView lane(Lane lane, String description) {
        return new LaneView(
                lane.word(),
                lane.ordinal() + 1,
                description,
                rules.getOrDefault(lane, LaneRules.FREE),
                laneVersions.getOrDefault(lane, 0L),
                0,
                0);
    }

    @Override
    public synchronized Created create(Creation creation) {
        String key = creation.call().caller().name() + " " + creation.call().key();
        Kept kept = keys.get(key);
        if (kept != null) {
            return kept.bodyHash().equals(creation.call().bodyHash())
                    ? new Created.Stored(kept.answer(), true)
                    : new Created.KeyReused();
        }
        Changed changed = create(
                creation.path(),
                creation.quotas(),
                creation.rules(),
                creation.call().caller());
        if (changed instanceof Changed.Refused refused) {
            return new Created.Refused(refused);
        }
        byte[] answer = creation.answer().apply(queue(creation.path()).orElseThrow());
        if (creation.call().key() != null) {
            keys.put(key, new Kept(creation.call().bodyHash(), answer));
        }
        return new Created.Stored(answer, false);
    }

    @Override
    public synchronized Changed change(long id, long version, Quotas quotas, QueueRules rules, Actor.Caller caller) {
        QueueView row = rows.get(id);
        if (row == null) {
            return new Changed.NotFound();
        }
        if (row.version() != version) {
            return new Changed.Stale(row.version());
        }
        rows.put(
                id,
                new QueueView(
                        id,
                        row.path(),
                        row.parent(),
                        true,
                        rules == null ? row.rules() : rules,
                        version + 1,
                        quotas == null ? row.quotas() : quotas,
                        Map.of(),
                        row.past(),
                        0,
                        0,
                        LimitUse.NONE));
        return new Changed.Done(id, version + 1);
    }

    @Override
    public synchronized Changed remove(long id, long version, Actor.Caller caller) {
        QueueView row = rows.get(id);
        if (row == null) {
            return new Changed.NotFound();
        }
        if (row.version() != version) {
            return new Changed.Stale(row.version());
        }
        if (rows.values().stream().anyMatch(other -> Long.valueOf(id).equals(other.parent()))) {
            return new Changed.Refused("id", "there are queues below it");
        }
        rows.remove(id);
        return new Changed.Done(id, version);
    }

    @Override
    public synchronized Changed tryChange(long id, long version, Quotas quotas, QueueRules rules) {
        return tried(id, version);
    }

    @Override
    public synchronized Changed tryRemove(long id, long version) {
        return tried(id, version);
    }

    private Changed tried(long id, long version) {
        QueueView row = rows.get(id);
        if (row == null) {
            return new Changed.NotFound();
        }
        return row.version() == version ? new Changed.Done(id, version + 1) : new Changed.Stale(row.version());
    }

    @Override
    public synchronized Page<QueueView> queues(PageRequest page) {
        List<QueueView> all = new ArrayList<>(rows.values());
        all.replaceAll(this::withLeaf);
        all.sort(Comparator.comparing((QueueView row) -> !row.leaf()).thenComparing(QueueView::path));
        return MemoryPages.page(all, page, row -> Long.toString(row.id()));
    }

    @Override
    public synchronized Optional<QueueView> queue(String idOrPath) {
        return rows.values().stream()
                .filter(row ->
                        row.path().equals(idOrPath) || Long.toString(row.id()).equals(idOrPath))
                .map(this::withLeaf)
                .findFirst();
    }

    @Override
    public List<LaneView> lanes() {
        return List.of(lane(Lane.GREEN, "Urgent."), lane(Lane.YELLOW, "Normal."), lane(Lane.RED, "Off-peak."));
    }

    private QueueView withLeaf(QueueView row) {
        boolean leaf =
                rows.values().stream().noneMatch(other -> Long.valueOf(row.id()).equals(other.parent()));
        return new QueueView(
                row.id(),
                row.path(),
                row.parent(),
                leaf,
                row.rules(),
                row.version(),
                row.quotas(),
                row.used(),
                row.past(),
                row.waiting(),
                row.running(),
                row.limitUse());
    }
}
