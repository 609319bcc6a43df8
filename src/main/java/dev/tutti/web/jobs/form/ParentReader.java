package dev.tutti.web.jobs.form;

import dev.tutti.model.JobId;
import dev.tutti.model.Labels;
import dev.tutti.web.input.Violations;
import dev.tutti.web.problem.ProblemFound;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads whom a job depends on: ids of jobs, and refs of other jobs of its batch. */
public final class ParentReader {

    public static final String REF = "#";

    private ParentReader() {}

    /** The ids; violations for what is none, for a ref where there is no batch, and for what is named twice. */
    static List<JobId> read(List<String> names, String path, boolean inBatch, Violations violations) {
        List<JobId> ids = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            String field = path + "dependsOn[" + i + "]";
            if (!seen.add(name)) {
                violations.add(field, "is \"" + Labels.shown(name) + "\" a second time; name each job once");
            } else if (!name.startsWith(REF)) {
                readId(name, field, ids, violations);
            } else if (!inBatch) {
                violations.add(
                        field,
                        "is \"" + Labels.shown(name) + "\", the ref of a job of a batch; give the id of a job here");
            }
        }
        return ids;
    }

    private static void readId(String name, String field, List<JobId> ids, Violations violations) {
        try {
            ids.add(JobPaths.id(name));
        } catch (ProblemFound noId) {
            violations.add(field, "is \"" + Labels.shown(name) + "\", which is no id of a job; give the id of one");
        }
    }
}
