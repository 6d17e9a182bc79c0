package io.tarpon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BatchRowsTest {
    @Test
    void aBatchIsDifferentSamplesInAnyOrderAndTheSameInEveryRun() {
        var drawn = BatchRows.draw(new SplittableRandom(3), 1_500, 1_000);
        assertThat(drawn).hasSize(1_000).doesNotHaveDuplicates().allMatch(ordinal -> ordinal >= 0 && ordinal < 1_500);
        assertThat(drawn).isNotEqualTo(drawn.stream().sorted().toList());
        assertThat(BatchRows.draw(new SplittableRandom(3), 1_500, 1_000)).isEqualTo(drawn);
    }

    @Test
    void theRequestNamesVersionSplitAndOrdinalsInTheOrderAsked() {
        var request = BatchRows.batch(List.of(7, 0, 3));
        var text = StandardCharsets.UTF_8.decode(request.wire().duplicate()).toString();
        assertThat(text)
                .startsWith("POST /v1/batch HTTP/1.1\r\n")
                .endsWith("\r\n\r\n"
                        + "{\"dataset\":\"mean-10k\",\"version\":\"v1\",\"split\":\"train\",\"samples\":[7,0,3]}");
        assertThat(request.status()).isEqualTo(200);
    }
}
