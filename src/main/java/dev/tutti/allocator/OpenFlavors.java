package dev.tutti.allocator;

import dev.tutti.allocator.fit.Room;
import dev.tutti.model.job.PodSet;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which of the flavors that jobs of a class name they may use now: of each set the first few of those on which the job could ever
 * run, and at least as many as it takes for it to run ever. A flavor that can never take them is not waited for.
 *
 * @param podSets what they ask for, as if they named only those
 * @param number how many of each set
 * @param names those of the sets to which some are closed; of several sets each with its name
 * @param next the flavors that follow
 * @param limits quota of an idle fleet when this was found out
 */
record OpenFlavors(List<PodSet> podSets, int number, List<String> names, List<String> next, Room limits) {

    /** Whether a job that names only these flavors could ever run; true where nobody knows. */
    interface Ever {
        boolean mayRun(List<PodSet> podSets);
    }

    /** All flavors that some set could ever use are open when nothing is next. */
    boolean areAll() {
        return next.isEmpty();
    }

    /**
     * Finds them.
     *
     * @param open how many of each set would be open if all could take it
     */
    static OpenFlavors of(List<PodSet> podSets, int open, Room limits, Ever ever) {
        List<List<String>> usable = new ArrayList<>();
        for (int s = 0; s < podSets.size(); s++) {
            usable.add(usable(podSets, s, ever));
        }
        int number = open;
        while (true) {
            OpenFlavors flavors = first(podSets, usable, number, limits);
            if (flavors.areAll() || ever.mayRun(flavors.podSets)) {
                return flavors;
            }
            number++;
        }
    }

    /** Of the flavors that a set names, in their order, those on which the job could ever run; all when it could on none. */
    private static List<String> usable(List<PodSet> podSets, int set, Ever ever) {
        List<String> named = podSets.get(set).flavors();
        List<String> usable = new ArrayList<>();
        for (String flavor : named.size() > 1 ? named : List.<String>of()) {
            List<PodSet> others = new ArrayList<>(podSets);
            others.set(set, podSets.get(set).on(List.of(flavor)));
            if (ever.mayRun(others)) {
                usable.add(flavor);
            }
        }
        return usable.isEmpty() ? named : usable;
    }

    private static OpenFlavors first(List<PodSet> podSets, List<List<String>> usable, int number, Room limits) {
        List<PodSet> sets = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        Set<String> next = new LinkedHashSet<>();
        for (int s = 0; s < podSets.size(); s++) {
            List<String> flavors = usable.get(s);
            List<String> first = flavors.subList(0, Math.min(number, flavors.size()));
            sets.add(podSets.get(s).on(first));
            if (first.size() < flavors.size()) {
                String of = podSets.size() == 1 ? "" : " (" + podSets.get(s).name() + ")";
                first.forEach(flavor -> names.add(flavor + of));
                next.add(flavors.get(first.size()) + of);
            }
        }
        return new OpenFlavors(sets, number, List.copyOf(names), List.copyOf(next), limits);
    }
}
