package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.ReplayThread;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Questions to a replica that is behind another one of the same log.
class QueriesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path temp;

    @Test
    void whatIsThereIsNotDeniedByAReplicaThatIsBehind() throws Exception {
        try (var log = open();
                var first = new Running(log, 16, 3)) {
            var begun = first.run(new BeginVersion(DEMO, "a", SPEC));
            var behind = new Replica(log, new EventTail(16), new Image(new HeapStore()));

            var impatient = new Queries(behind, Duration.ofMillis(20));
            var late = catchThrowableOfType(
                    TarponException.class, () -> impatient.atLeast(0, reads -> reads.version(DEMO, V1)));
            assertThat(late.type()).isEqualTo(ProblemType.NOT_READY);

            var queries = new Queries(behind, PATIENCE);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                    var replay = new ReplayThread(log, behind)) {
                var asked = threads.submit(() -> queries.atLeast(0, reads -> reads.version(DEMO, V1)));
                replay.start();
                assertThat(asked.get(30, TimeUnit.SECONDS).value()).isEqualTo(begun);
                var missing = catchThrowableOfType(
                        TarponException.class,
                        () -> queries.atLeast(0, reads -> reads.version(DEMO, new VersionId(2))));
                assertThat(missing.type()).isEqualTo(ProblemType.UNKNOWN_VERSION);
            }
        }
    }

    @Test
    void whatIsSoIsNotRefusedByAReplicaThatIsBehind() throws Exception {
        try (var log = open();
                var first = new Running(log, 16, 3)) {
            first.run(new JoinNode("node-1", node(1), "old"));
            var behind = new Replica(log, new EventTail(16), new Image(new HeapStore()));
            behind.catchUp();
            first.run(new JoinNode("node-1", node(1), "new"));
            var queries = new Queries(behind, PATIENCE);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                    var replay = new ReplayThread(log, behind)) {
                var asked = threads.submit(() -> queries.atLeast(0, reads -> reads.node("node-1", "new")));
                replay.start();
                assertThat(asked.get(30, TimeUnit.SECONDS).value()).isEqualTo(node(1));
            }
        }
    }

    private LocalLog open() throws IOException {
        return LocalLog.open(
                temp.resolve("log"),
                Files.createDirectories(temp.resolve("lib")),
                16,
                MetadataLog.MAX_ENTRY_BYTES,
                PATIENCE);
    }
}
