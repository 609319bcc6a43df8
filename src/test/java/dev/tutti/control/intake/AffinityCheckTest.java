package dev.tutti.control.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tutti.model.Violation;
import dev.tutti.model.fleet.TopologyLevels;
import dev.tutti.model.fleet.TopologyLevels.Crossing;
import dev.tutti.model.fleet.TopologyLevels.Level;
import dev.tutti.model.job.GpuRequest;
import dev.tutti.model.job.JobSpec;
import dev.tutti.model.job.Lane;
import dev.tutti.model.job.NicRequest;
import dev.tutti.model.job.NodeRules;
import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.PodTemplate;
import dev.tutti.model.job.SetAffinity;
import dev.tutti.model.job.SetAffinity.Kind;
import dev.tutti.model.job.TopologyWish;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Affinities that no fleet could keep together. An affinity is written {@code a+b rack} for together, {@code a-b rack} for apart. */
class AffinityCheckTest {

    private static final TopologyLevels LEVELS = new TopologyLevels(List.of(
            new Level("site", List.of("site"), Crossing.ASKED),
            new Level("block", List.of("block")),
            new Level("rack", List.of("rack"))));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a+b rack, a-b rack",
                "a+b hostname, a-b rack",
                "a+b hostname, b-a block",
                "a+b hostname, a-b hostname",
                "a+b rack, b+c rack, a-c rack",
                "a+b rack, c+b hostname, a-c block",
                "b+a rack, b+c rack, c+d rack, d-a rack",
                "a+b block, a+b hostname, a-b rack",
                "a+b block, a+c hostname, c+b hostname, a-b rack",
            })
    void setsTogetherAreNotApart(String affinities) {
        assertThat(check(affinities)).singleElement().satisfies(violation -> {
            assertThat(violation.field()).matches("podSets\\[\\d]\\.affinity\\[\\d]\\.level");
            assertThat(violation.message()).contains("but TOGETHER puts", "take one of the two affinities away");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a+b rack, a-b hostname",
                "a+b rack, b+c hostname, a-c hostname",
                "a+b rack, c+d rack, a-c rack, b-d rack",
                "a+b rack, a-c rack, b-c block",
                "a+b cluster, a-b block",
                "a-b rack, b-c rack, a-c rack",
            })
    void setsTogetherInAWiderDomainMayBeApartInsideIt(String affinities) {
        assertThat(check(affinities)).isEmpty();
    }

    @Test
    void namesTheValueWhatForbidsItAndWhatWouldBeRight() {
        assertThat(check("a+b rack, b+c hostname, a-c block"))
                .containsExactly(new Violation(
                        "podSets[0].affinity[1].level",
                        "is block, but TOGETHER puts \"a\" and \"c\" in one rack; give a level narrower than rack, or"
                                + " take one of the two affinities away"));
    }

    @Test
    void aJobThatRequiresOneDomainHasNoSetsApartInWiderOnes() {
        assertThat(check("a-b block", "rack", null))
                .singleElement()
                .satisfies(violation -> assertThat(violation.message()).contains("is block", "share one rack"));
        assertThat(check("a-b hostname", "rack", null)).isEmpty();
    }

    @Test
    void aJobThatDoesNotAskStaysInOneDomainOfTheBoundary() {
        assertThat(check("a-b site"))
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.message()).contains("is site", "stays in one site", "topology.required"));
        assertThat(check("a-b site", "cluster", null)).isEmpty();
        assertThat(check("a-b site", null, "cluster")).isEmpty();
        assertThat(check("a-b site", null, "rack")).hasSize(1);
    }

    @Test
    void anUnknownLevelIsToldOnce() {
        assertThat(check("a+b planet, a-b planet"))
                .hasSize(2)
                .allSatisfy(violation -> assertThat(violation.message()).contains("there is no level"));
    }

    private static List<Violation> check(String affinities) {
        return check(affinities, null, null);
    }

    private static List<Violation> check(String affinities, @Nullable String ofJob, @Nullable String ofSets) {
        List<PodSet> sets = Stream.of("a", "b", "c", "d")
                .map(name -> set(name, affinities, ofSets))
                .toList();
        TopologyWish wish = new TopologyWish(ofJob, null);
        return TopologyCheck.of(new JobSpec("x", "team", Lane.YELLOW, 0, sets, wish, 60, 30, 0, Map.of()), LEVELS);
    }

    private static PodSet set(String name, String affinities, @Nullable String required) {
        List<SetAffinity> own = new ArrayList<>();
        for (String text : affinities.split(", ")) {
            if (text.startsWith(name)) {
                Kind kind = text.charAt(1) == '+' ? Kind.TOGETHER : Kind.APART;
                own.add(new SetAffinity(text.substring(2, 3), text.substring(4), kind));
            }
        }
        PodTemplate template = new PodTemplate("image", List.of(), List.of(), Map.of());
        TopologyWish wish = new TopologyWish(required, null);
        return new PodSet(
                name,
                1,
                1,
                new GpuRequest.None(),
                List.of(),
                0,
                0,
                template,
                wish,
                null,
                NodeRules.NONE,
                own,
                NicRequest.NONE);
    }
}
