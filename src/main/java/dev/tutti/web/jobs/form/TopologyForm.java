package dev.tutti.web.jobs.form;

import dev.tutti.model.job.TopologyWish;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How near to each other the pods want to be, asked for and shown. */
@Schema(name = "TopologyWish", description = "How near to each other the pods want to be.")
public record TopologyForm(
        @Schema(description = "All pods in one domain of this level, or the job waits.", example = "block") @Nullable
        String required,

        @Schema(description = "One domain of this level if there is one, else wider.", example = "rack") @Nullable
        String preferred) {

    TopologyWish toModel() {
        return new TopologyWish(required, preferred);
    }

    public static @Nullable TopologyForm of(TopologyWish wish) {
        return wish.equals(TopologyWish.NONE) ? null : new TopologyForm(wish.required(), wish.preferred());
    }
}
