package dev.tutti.allocator.reason;

import dev.tutti.allocator.fit.Apartness;
import dev.tutti.allocator.fit.Request;
import dev.tutti.allocator.fleet.FleetNames;
import dev.tutti.model.FewNames;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.life.Reason;
import dev.tutti.model.life.ReasonCode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is said of pod sets that find no place together and apart as their affinity asks. */
public final class Affinity {

    /** What {@link Reason#resource} says of domains of a topology level. */
    private static final String DOMAINS = "domains";

    private Affinity() {}

    /**
     * Not even where nothing else runs.
     *
     * @param lack the proof, if sets that are apart find too few domains
     */
    public static Reason never(FleetNames names, List<PodSet> podSets, Request request, Apartness.@Nullable Lack lack) {
        return lack == null
                ? plain(
                        ReasonCode.EXCEEDS_LIMIT,
                        "No place of this fleet could ever hold its pod sets " + asked(request) + ".")
                : tooFew(ReasonCode.EXCEEDS_LIMIT, names, podSets, request, lack, " that could ever hold any of them");
    }

    /**
     * Not beside what runs now.
     *
     * @param isSure whether it is certain that there is no place
     * @param lack the proof, if sets that are apart find too few domains
     */
    public static Reason now(
            FleetNames names, List<PodSet> podSets, Request request, boolean isSure, Apartness.@Nullable Lack lack) {
        String sets = "with its pod sets " + asked(request) + ".";
        return lack == null
                ? plain(ReasonCode.TOPOLOGY, Sentences.unlessSure(isSure, sets, "It fits, but not " + sets))
                : tooFew(ReasonCode.TOPOLOGY, names, podSets, request, lack, " with room for any of them now");
    }

    private static String asked(Request request) {
        return request.isParted() ? "together and apart as their affinity asks" : "together as their affinity asks";
    }

    private static Reason tooFew(
            ReasonCode code,
            FleetNames names,
            List<PodSet> podSets,
            Request request,
            Apartness.Lack lack,
            String that) {
        String level = Sentences.level(names, lack.depth());
        boolean isWithin = request.widestDepth() > 0;
        String within = isWithin ? " within one " + Sentences.level(names, request.widestDepth()) : "";
        String detail = "Pod sets " + FewNames.of(groups(podSets, lack)) + " must be in different " + level + "s"
                + within
                + ": " + lack.wanted() + " " + level + (lack.wanted() == 1 ? "" : "s") + " needed, " + lack.available()
                + " there" + (lack.depth() > request.widestDepth() ? that : "") + ".";
        return new Reason(
                code, DOMAINS, lack.wanted(), lack.available(), detail + Sentences.advice(request.boundary()));
    }

    /** Those that share a domain in one breath. */
    private static List<String> groups(List<PodSet> podSets, Apartness.Lack lack) {
        return lack.groups().stream()
                .map(group -> Arrays.stream(group)
                        .mapToObj(set -> podSets.get(set).name())
                        .collect(Collectors.joining(" with ")))
                .toList();
    }

    private static Reason plain(ReasonCode code, String detail) {
        return new Reason(code, null, 0, 0, detail);
    }
}
