package io.tarpon.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.gateway.EpochsDocument;
import java.util.List;
import org.junit.jupiter.api.Test;

class EpochsTest {
    @Test
    void whoeverIsWaitedForMostIsNamed() {
        assertThat(Epochs.verdict(stream(10, 8, 1))).isEqualTo("GPU is busy");
        assertThat(Epochs.verdict(stream(10, 1, 8))).isEqualTo("GPU starves");
        assertThat(Epochs.verdict(stream(10, 1, 1))).isEqualTo("flows");
        assertThat(Epochs.verdict(stream(0, 0, 0))).isEqualTo("flows");
    }

    @Test
    void aStreamIsALineThatAligns() {
        var lines = Epochs.table(new EpochsDocument(List.of(stream(10, 8, 1)))).lines();
        assertThat(lines).hasSize(2);
        assertThat(lines.getLast())
                .contains("demo@v1/train 7/3", "1of4 0of2", "127.0.0.1:5000", "500", "1000", "80 %", "10 %");
        assertThat(lines.getFirst().indexOf("CLIENT")).isEqualTo(lines.getLast().indexOf("127.0.0.1:5000"));
    }

    private static EpochsDocument.Stream stream(double seconds, double onClient, double onStorage) {
        return new EpochsDocument.Stream(
                "demo",
                "v1",
                "train",
                7,
                3,
                1,
                4,
                0,
                2,
                "127.0.0.1:5000",
                seconds,
                500,
                1000,
                1 << 20,
                2 << 20,
                onClient,
                onStorage,
                "client");
    }
}
