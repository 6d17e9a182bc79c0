package io.tarpon.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PublishedEventsTest {
    private static final TarponEvent SEALED =
            new TarponEvent.VersionSealed(new DatasetName("demo"), new VersionId(1), 7, 10, 100);
    private static final TarponEvent FAILED =
            new TarponEvent.VersionFailed(new DatasetName("demo"), new VersionId(2), 9, "changed");

    /// As the topic's dump prints it.
    static String line(String id, TarponEvent event) {
        var envelope = new Events.Envelope(id, "/metadata-svc", Instant.EPOCH, Optional.empty());
        var value = Base64.getEncoder().encodeToString(Events.encode(envelope, event));
        return "{\"partition\":0,\"offset\":1,\"timestamp\":0,\"key\":null,\"value\":\"" + value + "\"}";
    }

    @Test
    void eachIdOnceIsWell() throws IOException {
        var events = PublishedEvents.read(Stream.of(line("7-0", SEALED), line("9-0", FAILED), line("11-0", FAILED)));
        assertThat(events.records()).isEqualTo(3);
        assertThat(events.duplicates()).isZero();
        assertThat(events.complaints()).isEmpty();
        assertThat(events.says(TarponEvent.VersionSealed.TYPE, "demo/v1")).isTrue();
        assertThat(events.says(TarponEvent.VersionSealed.TYPE, "demo/v2")).isFalse();
    }

    @Test
    void anIdThatStandsThereTwiceIsSaid() throws IOException {
        var events = PublishedEvents.read(Stream.of(line("9-0", FAILED), line("9-0", FAILED)));
        assertThat(events.duplicates()).isEqualTo(1);
        assertThat(events.complaints()).singleElement().asString().contains("9-0");
    }

    @Test
    void aVersionThatIsSealedTwiceUnderTwoIdsIsSaid() throws IOException {
        var events = PublishedEvents.read(Stream.of(line("7-0", SEALED), line("8-0", SEALED)));
        assertThat(events.duplicates()).isZero();
        assertThat(events.complaints())
                .singleElement()
                .asString()
                .contains("demo/v1")
                .contains("2 times");
    }
}
