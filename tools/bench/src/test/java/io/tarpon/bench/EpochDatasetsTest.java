package io.tarpon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EpochDatasetsTest {
    private static final BenchSettings SETTINGS = new BenchSettings(true, 1, Path.of("tmp"), false);

    @Test
    void onlyWhatTheSelectedRowsReadIsMade() {
        assertThat(names(BenchNames.EPOCH_LARGE)).containsExactly(EpochDatasets.LARGE, EpochDatasets.WARM);
        assertThat(names(BenchNames.BATCH_LINK)).containsExactly(EpochDatasets.SMALL, EpochDatasets.WARM);
        assertThat(names(BenchNames.RESUME)).containsExactly(EpochDatasets.MANY, EpochDatasets.WARM);
        assertThat(EpochDatasets.of(SETTINGS, BenchNames.selected(List.of("epoch", "batch"))))
                .extracting(LabDataset::name)
                .containsExactly(EpochDatasets.LARGE, EpochDatasets.SMALL, EpochDatasets.MANY, EpochDatasets.WARM);
    }

    private static List<String> names(String benchmark) {
        return EpochDatasets.of(SETTINGS, Set.of(benchmark)).stream()
                .map(LabDataset::name)
                .toList();
    }

    @Test
    void everyNextEpochIsAnother() {
        var one = EpochDatasets.nextEpoch("d");
        assertThat(one).matches("/e/d/v1/train/7/[1-9][0-9]*/0of1[.]tar");
        assertThat(EpochDatasets.nextEpoch("d")).isNotEqualTo(one);
    }
}
