package dev.tutti.web.jobs;

import dev.tutti.control.intake.Forecast;
import dev.tutti.model.InvalidInput;
import dev.tutti.model.JobId;
import dev.tutti.model.Violation;
import dev.tutti.model.job.JobSpec;
import dev.tutti.web.input.FormReader;
import dev.tutti.web.input.Violations;
import dev.tutti.web.jobs.SubmitResponses.BatchItem;
import dev.tutti.web.jobs.SubmitResponses.BatchResult;
import dev.tutti.web.jobs.form.JobReader;
import dev.tutti.web.jobs.form.JobRequest;
import dev.tutti.web.problem.Problem;
import dev.tutti.web.problem.ProblemFound;
import dev.tutti.web.problem.ProblemKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The jobs of one batch while they are read and taken: each is still good, or has its violations. */
final class Batch {

    private final List<List<Violation>> violations = new ArrayList<>();
    /** Of jobs that are refused for something else than 400. */
    private final Map<Integer, Integer> statuses = new HashMap<>();

    private final TreeMap<Integer, JobSpec> good = new TreeMap<>();
    private final BatchLinks links;

    Batch(BatchRequest request) {
        int size = request.jobs().size();
        if (size < 1 || size > BatchRequest.MOST) {
            throw new InvalidInput(
                    List.of(new Violation("jobs", "has " + size + " jobs; give 1 to " + BatchRequest.MOST)));
        }
        List<Violations> found = new ArrayList<>();
        List<@Nullable JobRequest> requests = new ArrayList<>();
        for (JsonNode tree : request.jobs()) {
            found.add(new Violations());
            requests.add(FormReader.read(tree, JobRequest.class, "", found.get(found.size() - 1)));
        }
        links = new BatchLinks(requests);
        for (int i = 0; i < size; i++) {
            read(requests.get(i), i, found.get(i));
        }
        refuseOrphans();
    }

    private void read(@Nullable JobRequest request, int index, Violations found) {
        JobSpec spec = request == null ? null : JobReader.read(request, "", true, found);
        links.violations(index).list().forEach(violation -> found.add(violation.field(), violation.message()));
        violations.add(found.list());
        if (spec != null && found.isEmpty()) {
            good.put(index, spec);
        }
    }

    /** A job that depends on a refused one is refused too, and so are those that depend on it. */
    private void refuseOrphans() {
        boolean more = true;
        while (more) {
            more = false;
            for (int index : List.copyOf(good.keySet())) {
                Optional<Integer> refused = links.of(index).stream()
                        .filter(parent -> !good.containsKey(parent))
                        .findFirst();
                if (refused.isPresent()) {
                    violations.set(
                            index,
                            List.of(new Violation(
                                    "dependsOn", "jobs[" + refused.get() + "], which it depends on, is refused")));
                    good.remove(index);
                    more = true;
                }
            }
        }
    }

    /** For each of {@link #specs()}, in order, the places in that list of those that it depends on. */
    List<List<Integer>> links() {
        List<Integer> order = List.copyOf(good.keySet());
        Map<Integer, Integer> places = new HashMap<>();
        order.forEach(index -> places.put(index, places.size()));
        return order.stream()
                .map(index -> links.of(index).stream().map(places::get).toList())
                .toList();
    }

    /** The jobs that are still good, in order. */
    List<JobSpec> specs() {
        return List.copyOf(good.values());
    }

    /** Takes out the good jobs that turned out wrong: one list for each of {@link #specs()}, in order, and their status. */
    void refuse(List<List<Violation>> found, int status) {
        Iterator<List<Violation>> each = found.iterator();
        for (int index : List.copyOf(good.keySet())) {
            List<Violation> wrong = each.next();
            if (!wrong.isEmpty()) {
                violations.set(index, wrong);
                statuses.put(index, status);
                good.remove(index);
            }
        }
        refuseOrphans();
    }

    /** The answer, with the ids of the good jobs in order. */
    BatchResult result(List<JobId> ids) {
        Iterator<JobId> each = ids.iterator();
        List<BatchItem> items = new ArrayList<>();
        for (int i = 0; i < violations.size(); i++) {
            items.add(
                    good.containsKey(i)
                            ? new BatchItem(i, 201, each.next().toString(), null)
                            : new BatchItem(i, statuses.getOrDefault(i, 400), null, violations.get(i)));
        }
        return new BatchResult(good.size(), violations.size() - good.size(), items);
    }

    /** One forecast per job of the batch, with those of the good jobs in order. */
    List<ForecastResponse> forecasts(List<Forecast> forecasts) {
        Iterator<Forecast> each = forecasts.iterator();
        List<ForecastResponse> all = new ArrayList<>();
        for (int i = 0; i < violations.size(); i++) {
            all.add(
                    good.containsKey(i)
                            ? ForecastResponse.of(each.next())
                            : new ForecastResponse(
                                    violations.get(i), false, 0, 0, false, List.of(), null, null, null, 0));
        }
        return all;
    }

    /** Every violation with its place in the batch. */
    ProblemFound allRefused() {
        Violations all = new Violations();
        for (int i = 0; i < violations.size(); i++) {
            String prefix = "jobs[" + i + "]";
            violations
                    .get(i)
                    .forEach(v -> all.add(v.field().isEmpty() ? prefix : prefix + "." + v.field(), v.message()));
        }
        boolean isForNow = statuses.size() == violations.size()
                && statuses.values().stream().allMatch(status -> status == ProblemKind.CONFLICT.status());
        return new ProblemFound(
                Problem.violations(isForNow ? ProblemKind.CONFLICT : ProblemKind.VALIDATION, all.list()));
    }
}
