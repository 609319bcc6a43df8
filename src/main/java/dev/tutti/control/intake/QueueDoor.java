package dev.tutti.control.intake;

import dev.tutti.model.Violation;
import dev.tutti.model.queue.QueueRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one queue on a job's way up takes in while a submission lasts: nothing when it drains, and of a queue with limits so
 * many jobs that no more wait there than may.
 */
public final class QueueDoor {

    private final String path;
    private final QueueRules rules;
    private final String user;
    private long waiting;
    private long ofUser;

    /**
     * @param path the queue: the job's own or one above it
     * @param user who submits
     * @param waiting jobs that are QUEUED or SUSPENDED in it and in those below
     * @param ofUser those of them that are the user's
     */
    public QueueDoor(String path, QueueRules rules, String user, long waiting, long ofUser) {
        this.path = path;
        this.rules = rules;
        this.user = user;
        this.waiting = waiting;
        this.ofUser = ofUser;
    }

    /** Takes a job in through all of these doors, or through none; why not, in a list of one. */
    public static List<Violation> enter(List<QueueDoor> doors) {
        for (QueueDoor door : doors) {
            String closed = door.closed();
            if (closed != null) {
                return List.of(new Violation("queue", closed));
            }
        }
        doors.forEach(QueueDoor::take);
        return List.of();
    }

    private void take() {
        waiting++;
        ofUser++;
    }

    private @Nullable String closed() {
        Integer most = rules.limits().maxWaitingJobs();
        Integer mostOfUser = rules.limits().userMaxWaitingJobs();
        if (rules.draining()) {
            return "queue \"" + path
                    + "\" is being drained and takes no more jobs; give another queue, or ask an operator to"
                    + " set its draining to false";
        }
        if (most != null && most == 0) {
            return "queue \"" + path
                    + "\" takes in no jobs (maxWaitingJobs is 0); give another queue, or ask an operator to"
                    + " raise maxWaitingJobs";
        }
        if (mostOfUser != null && mostOfUser == 0) {
            return "queue \"" + path
                    + "\" takes in no jobs of any user (perUser.maxWaitingJobs is 0); give another queue, or"
                    + " ask an operator to raise perUser.maxWaitingJobs";
        }
        if (most != null && waiting >= most) {
            return "in queue \"" + path + "\" wait as many jobs as may, " + most
                    + " (maxWaitingJobs); submit again when some of them have started, or give another queue";
        }
        return mostOfUser != null && ofUser >= mostOfUser
                ? "in queue \"" + path + "\" wait as many jobs of \"" + user + "\" as may of one user, " + mostOfUser
                        + " (perUser.maxWaitingJobs); submit again when some of them have started, or give another queue"
                : null;
    }
}
