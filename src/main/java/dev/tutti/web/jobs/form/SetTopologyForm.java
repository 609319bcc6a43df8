package dev.tutti.web.jobs.form;

import dev.tutti.model.job.PodSet;
import dev.tutti.model.job.TopologySegment;
import dev.tutti.model.job.TopologyWish;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How near to each other the pods of one set want to be, asked for and shown. */
@Schema(
        name = "PodSetTopology",
        description = "How near to each other the pods of this set want to be, beside what the job wishes for all.")
public record SetTopologyForm(
        @Schema(
                description = "All pods of the set in one domain of this level; not wider than what the job requires.",
                example = "block")
        @Nullable
        String required,

        @Schema(description = "One domain of this level if there is one, else wider.", example = "rack") @Nullable
        String preferred,

        @Nullable Segment segment) {

    /** Equal parts of a set. */
    @Schema(name = "TopologySegment", description = "The set in parts, in order of rank, each whole in one domain.")
    public record Segment(
            @Schema(
                    description = "Pods of a part; count and minCount are multiples of it.",
                    minimum = "1",
                    maximum = "20000",
                    example = "8")
            Integer pods,

            @Schema(description = "Level of the domain that holds a part; not wider than required.", example = "rack")
            String level) {

        TopologySegment toModel() {
            return new TopologySegment(pods, level);
        }
    }

    TopologyWish toModel() {
        return new TopologyWish(required, preferred);
    }

    public static @Nullable SetTopologyForm of(PodSet set) {
        TopologySegment segment = set.segment();
        return set.topology().equals(TopologyWish.NONE) && segment == null
                ? null
                : new SetTopologyForm(
                        set.topology().required(),
                        set.topology().preferred(),
                        segment == null ? null : new Segment(segment.pods(), segment.level()));
    }
}
