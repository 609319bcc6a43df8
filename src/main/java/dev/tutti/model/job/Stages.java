package dev.tutti.model.job;

import dev.tutti.model.Check;
import dev.tutti.model.Labels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whether the sets of a job can all start: each waits for sets that are there, and none for itself. */
final class Stages {

    private Stages() {}

    static void check(Check check, List<PodSet> podSets) {
        List<String> names = podSets.stream().map(PodSet::name).toList();
        for (int s = 0; s < podSets.size(); s++) {
            checkNames(check, "podSets[" + s + "].startAfter", podSets.get(s), names);
        }
        List<List<Integer>> waitsFor = podSets.stream()
                .map(set -> set.startAfter().stream()
                        .filter(after -> !after.podSet().equals(set.name()))
                        .map(after -> names.indexOf(after.podSet()))
                        .filter(place -> place >= 0)
                        .toList())
                .toList();
        checkCycle(check, names, Cycle.find(waitsFor));
    }

    private static void checkNames(Check check, String path, PodSet set, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < set.startAfter().size(); i++) {
            String other = set.startAfter().get(i).podSet();
            String field = path + "[" + i + "].podSet";
            String shown = "\"" + Labels.shown(other) + "\"";
            check.that(!other.equals(set.name()), field, "is " + shown + ", the set itself; give another set")
                    .that(
                            names.contains(other),
                            field,
                            "is " + shown + ", and there is no such pod set; give one of " + String.join(", ", names))
                    .that(seen.add(other), field, "is " + shown + " a second time; name each set once");
        }
    }

    private static void checkCycle(Check check, List<String> names, List<Integer> cycle) {
        if (cycle.isEmpty()) {
            return;
        }
        List<String> around = new ArrayList<>(cycle.stream().map(names::get).toList());
        around.add(around.get(0));
        check.that(
                false,
                "podSets[" + cycle.get(0) + "].startAfter",
                "goes round in a circle (" + String.join(" after ", around)
                        + "), so none of them would ever start; take one of these out");
    }
}
