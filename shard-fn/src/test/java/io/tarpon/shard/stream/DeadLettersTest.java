package io.tarpon.shard.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
    @Test
    void headersWithNamesOfOursAreNotTakenOver() {
        var headers = new RecordHeaders()
                .add("mine", new byte[] {1})
                .add("tarpon-retried", new byte[] {'7'})
                .add("tarpon-value-left-out", new byte[] {'7'})
                .add("tarpon-reason", new byte[] {'x'})
                .add("mine", null);

        assertThat(DeadLetters.original(headers)).extracting(Header::key).containsExactly("mine", "mine");
    }
}
