package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.Running;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.metadata.log.LocalLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventFeedTest {
    private static final int VERSIONS = 5;

    @TempDir
    Path temp;

    @Test
    void whatTheTailHasForgottenIsDerivedFromTheLog() throws Exception {
        List<CommittedEvent> remembered;
        try (var running = open(1_000)) {
            work(running);
            remembered = everything(running.feed());
            assertThat(remembered).hasSize(VERSIONS * 3);
        }
        try (var running = open(2)) {
            running.replica().awaitRevision(VERSIONS * 3L, java.time.Duration.ofSeconds(30));
            assertThat(running.tail().after(0, 10)).isEmpty();
            assertThat(everything(running.feed())).isEqualTo(remembered);
        }
    }

    @Test
    void aFeedGoesOnAfterAnyRevision() throws Exception {
        try (var running = open(2)) {
            work(running);
            var feed = running.feed();
            var all = everything(feed);
            for (long after = 0; after <= VERSIONS * 3; after++) {
                var from = after;
                var expected =
                        all.stream().filter(event -> event.revision() > from).toList();
                assertThat(feed.after(after).events()).isEqualTo(expected);
            }
        }
    }

    @Test
    void aLimitedReadEndsWithAWholeRevision() throws Exception {
        try (var running = open(1_000)) {
            work(running);
            // The first seal tells two events of one revision.
            var batch = running.tail().after(2, 1).orElseThrow();
            assertThat(batch.events()).extracting(CommittedEvent::id).containsExactly("3-0", "3-1");
            assertThat(batch.upTo()).isEqualTo(3);
        }
    }

    @Test
    void whatNeitherTheTailNorTheLogHasIsInTheOutbox() throws Exception {
        try (var running = open(2)) {
            work(running);
            var all = everything(running.feed());
            running.log().trim(VERSIONS);
            assertThat(running.feed().after(0).events()).isEqualTo(all);
        }
    }

    private Running open(int tailEvents) throws IOException {
        var log = LocalLog.open(
                temp.resolve("log"),
                Files.createDirectories(temp.resolve("lib")),
                16,
                MetadataLog.MAX_ENTRY_BYTES,
                Duration.ofMinutes(1));
        return new Running(log, tailEvents, 3);
    }

    private static void work(Running running) throws InterruptedException {
        for (int i = 0; i < VERSIONS; i++) {
            var version =
                    running.run(new BeginVersion(DEMO, "request " + i, SPEC)).version();
            running.run(new PlanVersion(DEMO, version, plan("plan " + i, 1, 0)));
            running.run(new SealShard(ref(version, TRAIN, 0), seal(0, "content " + i)));
        }
    }

    private static List<CommittedEvent> everything(EventFeed feed) throws IOException, InterruptedException {
        var events = new ArrayList<CommittedEvent>();
        long after = 0;
        while (after < feed.end()) {
            var batch = feed.after(after);
            events.addAll(batch.events());
            after = batch.upTo();
        }
        return events;
    }
}
