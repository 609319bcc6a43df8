package dev.tutti.web.jobs;

import dev.tutti.model.Labels;
import dev.tutti.model.Limits;
import dev.tutti.model.Names;
import dev.tutti.model.job.Cycle;
import dev.tutti.web.input.Violations;
import dev.tutti.web.jobs.form.JobRequest;
import dev.tutti.web.jobs.form.ParentReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which jobs of a batch depend on which others of it, by their places. */
final class BatchLinks {

    private final List<@Nullable JobRequest> requests;
    private final List<Violations> violations = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final List<List<Integer>> links = new ArrayList<>();

    /** @param requests the jobs in order; null for one that could not be read */
    BatchLinks(List<@Nullable JobRequest> requests) {
        this.requests = requests;
        requests.forEach(request -> violations.add(new Violations()));
        for (int i = 0; i < requests.size(); i++) {
            takeRef(i);
        }
        for (int i = 0; i < requests.size(); i++) {
            links.add(linksOf(i));
        }
        refuseCycles();
    }

    /** What is wrong with the refs of one job. */
    Violations violations(int place) {
        return violations.get(place);
    }

    /** Places of the jobs that this one depends on. */
    List<Integer> of(int place) {
        return links.get(place);
    }

    private void takeRef(int place) {
        JobRequest request = requests.get(place);
        String ref = request == null ? null : request.ref();
        if (ref == null) {
            return;
        }
        Integer other = places.putIfAbsent(ref, place);
        if (other != null) {
            violations.get(place).add("ref", "is \"" + Labels.shown(ref) + "\", as that of jobs[" + other + "]");
        } else if (!Names.isDnsLabel(ref)) {
            violations.get(place).add("ref", "is \"" + Labels.shown(ref) + "\"; give a DNS label such as train");
        }
    }

    private List<Integer> linksOf(int place) {
        JobRequest request = requests.get(place);
        List<String> names = request == null || request.dependsOn() == null ? List.of() : request.dependsOn();
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Integer parent = places.get(name.substring(Math.min(1, name.length())));
            if (name.startsWith(ParentReader.REF) && parent == null) {
                violations
                        .get(place)
                        .add("dependsOn[" + i + "]", "no job of the batch has the ref \"" + Labels.shown(name) + "\"");
            } else if (name.startsWith(ParentReader.REF) && !found.contains(parent)) {
                found.add(parent);
            }
        }
        if (names.size() > Limits.PARENTS) {
            violations.get(place).add("dependsOn", "names " + names.size() + " jobs; give at most " + Limits.PARENTS);
        }
        return found;
    }

    /** Every job of a cycle is refused, and the cycle opened there, until there is none. */
    private void refuseCycles() {
        for (List<Integer> cycle = Cycle.find(links); !cycle.isEmpty(); cycle = Cycle.find(links)) {
            List<Integer> round = new ArrayList<>(cycle);
            round.add(cycle.get(0));
            String shown = round.stream().map(this::name).collect(Collectors.joining(" after "));
            for (int place : cycle) {
                violations.get(place).add("dependsOn", "would wait for itself: " + shown);
                links.set(place, Collections.emptyList());
            }
        }
    }

    private String name(int place) {
        JobRequest request = requests.get(place);
        return request == null || request.ref() == null ? "jobs[" + place + "]" : ParentReader.REF + request.ref();
    }
}
