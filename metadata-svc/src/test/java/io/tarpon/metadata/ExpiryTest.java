package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.V1;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.trace.Traces;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpiryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path temp;

    @Test
    void aLookThatGoesWrongIsNotTheLast() throws Exception {
        var looks = new AtomicInteger();
        try (var running = new Running(
                LocalLog.open(temp.resolve("log"), temp, 16, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1)),
                16,
                4,
                () -> Instant.EPOCH)) {
            running.run(new BeginVersion(DEMO, "a", SPEC));
            running.run(new FailVersion(DEMO, V1, "gone"));
            var queries = new Queries(running.replica(), PATIENCE);
            var readiness = new Readiness(
                    running.replica(),
                    () -> {
                        if (looks.incrementAndGet() == 1) {
                            throw new OutOfMemoryError("for a test");
                        }
                        return true;
                    },
                    () -> null,
                    Optional::empty);
            var commands = new Commands(running.proposer(), new SimpleMeterRegistry(), Traces.off());
            try (var expiry = new Expiry(
                    queries,
                    commands,
                    readiness,
                    () -> Instant.EPOCH.plusSeconds(60),
                    Duration.ofSeconds(30),
                    Duration.ofDays(1),
                    Duration.ofMillis(5))) {
                expiry.start();
                Deadline.until(PATIENCE, "the version expires", () -> state(queries) == VersionState.REMOVED);
            }
            assertThat(looks).hasValueGreaterThan(1);
        }
    }

    private static VersionState state(Queries queries) {
        return queries.atLeast(0, reads -> reads.version(DEMO, V1)).value().state();
    }
}
