package dev.tutti.model.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tutti.model.InvalidInput;
import dev.tutti.model.job.GpuRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table against the vendor's listing of placements, {@code nvidia-smi mig -lgipp}, row by row. */
class MigLayoutsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a100-40gb  | 1g.5gb 1g.10gb 2g.10gb 3g.20gb 4g.20gb 7g.40gb",
                "a100-80gb  | 1g.10gb 1g.20gb 2g.20gb 3g.40gb 4g.40gb 7g.80gb",
                "h100-80gb  | 1g.10gb 1g.20gb 2g.20gb 3g.40gb 4g.40gb 7g.80gb",
                "h100-94gb  | 1g.12gb 1g.24gb 2g.24gb 3g.47gb 4g.47gb 7g.94gb",
                "h100-96gb  | 1g.12gb 1g.24gb 2g.24gb 3g.48gb 4g.48gb 7g.96gb",
                "h200-141gb | 1g.18gb 1g.35gb 2g.35gb 3g.71gb 4g.71gb 7g.141gb",
            })
    void profilesAndTheirPlacements(String name, String profiles) {
        MigLayout layout = MigLayouts.ALL.get(MigLayouts.layoutNumber(name));

        assertThat(layout.profiles()).extracting(MigProfile::name).containsExactly(profiles.split(" "));
        assertThat(layout.profiles()).extracting(MigProfile::units).containsExactly(1, 2, 2, 4, 4, 8);
        assertThat(layout.profiles())
                .extracting(MigProfile::starts)
                .containsExactly(
                        List.of(0, 1, 2, 3, 4, 5, 6),
                        List.of(0, 2, 4, 6),
                        List.of(0, 2, 4),
                        List.of(0, 4),
                        List.of(0),
                        List.of(0));
        assertThat(layout.profiles()).extracting(MigProfile::milli).containsExactly(125, 250, 250, 500, 500, 1_000);
    }

    @ParameterizedTest
    @CsvSource({
        "NVIDIA-A100-SXM4-40GB, 40960, a100-40gb",
        "NVIDIA-A100-SXM4-40GB, 40536, a100-40gb",
        "A100, 40960, a100-40gb",
        "NVIDIA-A100-SXM4-80GB, 81920, a100-80gb",
        "NVIDIA-A100-80GB-PCIe, 81251, a100-80gb",
        "NVIDIA-H100-80GB-HBM3, 81559, h100-80gb",
        "NVIDIA-H100-NVL, 95830, h100-94gb",
        "NVIDIA-H100-SXM5-96GB, 97871, h100-96gb",
        "NVIDIA-H200, 143771, h200-141gb",
        "NVIDIA-L40S, 46068,",
        "NVIDIA-A10, 23028,",
        "NVIDIA-A1000, 40960,",
        "NVIDIA-GH100X, 81559,",
        "NVIDIA-A100-SXM4-40GB, 0,",
    })
    void theProductAndItsMemoryTellTheLayout(String product, int memoryMib, String layout) {
        assertThat(MigLayouts.ofProduct(product, memoryMib).map(MigLayout::name))
                .isEqualTo(Optional.ofNullable(layout));
    }

    @Test
    void aNameNobodyKnowsIsRefusedWithTheKnownOnes() {
        InvalidInput refused = catchThrowableOfType(InvalidInput.class, () -> new GpuRequest.Mig("3g.21gb"));

        assertThat(refused.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.field()).isEqualTo("mig");
            assertThat(violation.message())
                    .isEqualTo("is \"3g.21gb\"; give one of " + String.join(", ", MigLayouts.PROFILES));
        });
    }

    @ParameterizedTest
    @CsvSource({"1g.10gb+me, 1g.10gb", "1g.10gb+gfx, 1g.10gb", "1g.10gb.me, 1g.10gb", "2g.35gb-me, 2g.35gb"})
    void aVariantIsRefusedWithThePlainOne(String variant, String plain) {
        InvalidInput refused = catchThrowableOfType(InvalidInput.class, () -> new GpuRequest.Mig(variant));

        assertThat(refused.violations().get(0).message()).endsWith("ask for " + plain);
    }

    @Test
    void beforeAGpuIsChosenAnInstanceCountsAsTheLeastItCanBe() {
        assertThat(new GpuRequest.Mig("1g.10gb").milli()).isEqualTo(125);
        assertThat(new GpuRequest.Mig("1g.20gb").milli()).isEqualTo(250);
        assertThat(new GpuRequest.Mig("7g.141gb").milli()).isEqualTo(1_000);
    }
}
