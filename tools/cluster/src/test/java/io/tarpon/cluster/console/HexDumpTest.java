package io.tarpon.cluster.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HexDumpTest {
    @Test
    void aLineHoldsSixteenBytesAndWhatOfThemCanBePrinted() {
        var bytes = "abcdefghijklmnop\u001b[31m".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(HexDump.lines(bytes))
                .containsExactly(
                        "00000000  61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70  abcdefghijklmnop",
                        "00000010  1b 5b 33 31 6d                                   .[31m");
    }

    @Test
    void ofManyBytesTheFirstAreShownAndTheRestIsCounted() {
        var lines = HexDump.lines(new byte[4096 + 5]);
        assertThat(lines).hasSize(257);
        assertThat(lines.getLast()).contains("5 bytes more");
        assertThat(HexDump.lines(new byte[0])).isEmpty();
    }
}
