package dev.tutti.allocator;

import dev.tutti.allocator.WaitingBook.Group;
import dev.tutti.model.JobId;
import dev.tutti.model.QueueId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which groups are tried in one decision because a job of theirs may get a time, or waits for what is kept for one: whoever
 * keeps capacity for itself or lets it go does so by being tried. Of each queue that is the first in line, and when no time is
 * found for it the next. When nothing changed it is those who asked for a time in the last decision, and nobody else.
 */
final class FirstInLine {

    private static final Comparator<Group> BY_TURN =
            Comparator.comparing(group -> group.ready.first(), WaitingJob.ORDER);

    private final Desk desk;
    /** By queue those whose turn has not come. */
    private final Map<QueueId, PriorityQueue<Group>> lines = new HashMap<>();

    private FirstInLine(Desk desk) {
        this.desk = desk;
    }

    /**
     * The lines of a decision.
     *
     * @param isNew whether anything of jobs that wait, capacity or quota changed since the last decision
     * @param toTry gets the groups that are to be tried in any case
     */
    static FirstInLine of(Desk desk, WaitingBook waiting, boolean isNew, Set<Group> toTry) {
        FirstInLine line = new FirstInLine(desk);
        if (!desk.times().concernAnybody()) {
            return line;
        }
        if (!isNew && desk.times().areAsBefore()) {
            for (JobId job : desk.times().askedFor()) {
                toTry.add(waiting.groupOf(Objects.requireNonNull(waiting.job(job), "nobody has left since")));
            }
            return line;
        }
        for (Group group : waiting.groups()) {
            if (desk.times().concern(desk.kindOf(group))) {
                toTry.add(group);
            }
            if (!group.ready.isEmpty()) {
                line.lines
                        .computeIfAbsent(group.like.queue(), first -> new PriorityQueue<>(BY_TURN))
                        .add(group);
            }
        }
        line.lines.values().forEach(queue -> {
            line.skip(queue);
            if (!queue.isEmpty()) {
                toTry.add(queue.peek());
            }
        });
        return line;
    }

    /** Who must be tried next in the job's queue, now that the job had its turn; null when nobody is left, or one has a time. */
    @Nullable
    Group after(WaitingJob job) {
        PriorityQueue<Group> queue = lines.get(job.queue());
        if (queue == null || !desk.times().areOpenTo(job.queue())) {
            return null;
        }
        while (!queue.isEmpty() && WaitingJob.ORDER.compare(queue.peek().ready.first(), job) <= 0) {
            queue.poll();
            skip(queue);
        }
        return queue.peek();
    }

    private void skip(PriorityQueue<Group> queue) {
        while (!queue.isEmpty() && !desk.times().areWantedBy(desk.kindOf(queue.peek()))) {
            queue.poll();
        }
    }
}
