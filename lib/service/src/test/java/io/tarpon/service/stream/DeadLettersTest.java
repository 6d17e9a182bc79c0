package io.tarpon.service.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.consumer.ConsumerRecord;
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

        assertThat(LetterHeaders.original(headers)).extracting(Header::key).containsExactly("mine", "mine");
    }

    @Test
    void everyRecordHasALetterOfASizeOfItsOwn() {
        var record = new ConsumerRecord<>("tarpon.plans", 3, 7, new byte[900_000], new byte[1_000_000]);
        record.headers().add("large", new byte[900_000]);

        var letters = DeadLetters.sizes(record, "malformed", "no");
        assertThat(letters.getFirst().value()).isSameAs(record.value());
        assertThat(letters.get(1).key()).isSameAs(record.key());
        assertThat(letters.get(1).value()).isNull();
        var bare = letters.getLast();
        assertThat(bare.key()).isNull();
        assertThat(bare.value()).isNull();
        assertThat(bare.headers())
                .allSatisfy(header -> assertThat(header.value()).hasSizeLessThan(600));
        assertThat(LetterHeaders.number(bare.headers(), LetterHeaders.LEFT_OUT)).hasValue(1_000_000L);
        assertThat(LetterHeaders.number(bare.headers(), LetterHeaders.OFFSET)).hasValue(7L);
    }
}
