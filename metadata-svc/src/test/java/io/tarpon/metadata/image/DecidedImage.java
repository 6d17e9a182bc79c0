package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/// An image and the entries that made it, one second apart.
final class DecidedImage {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    final Image image;

    DecidedImage() {
        this(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    DecidedImage(long maxShards, long maxVersions) {
        this.image = new Image(new HeapStore(), maxShards, maxVersions);
    }

    /// An image of a log with an id, in which everything may be written.
    static DecidedImage ofToday(long maxShards) {
        var decided = new DecidedImage(maxShards, Long.MAX_VALUE);
        decided.apply(new RaiseLevel("0123456789abcdef0123456789abcdef", EntryFormat.FORMAT));
        return decided;
    }

    /// Decides a command that changes something, and replays what was decided, through its bytes.
    Replayed apply(Command<?> command) {
        return replay(entry(command));
    }

    /// The entry that a command comes to now.
    Entry entry(Command<?> command) {
        var append = (Decision.Append) image.decide(command);
        return new Entry(
                command.idempotenceKey(),
                now(),
                null,
                append.guards(),
                append.records(),
                image.logId().orElse(null));
    }

    Replayed replay(Entry entry) {
        try {
            return image.replay(EntryFormat.decode("test", EntryFormat.encode(entry)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Instant now() {
        return START.plusSeconds(image.revision());
    }

    VersionId begin(String requestId) {
        apply(new BeginVersion(DEMO, requestId, SPEC));
        return image.reads().versionOfRequest(requestId).version();
    }

    Replayed plan(VersionId version, io.tarpon.wire.metadata.PlanVersion plan) {
        return apply(new PlanVersion(DEMO, version, plan));
    }

    Replayed seal(ShardRef ref, io.tarpon.wire.metadata.SealShard seal) {
        return apply(new SealShard(ref, seal));
    }

    void refuses(Command<?> command, ProblemType type, String detail) {
        var before = image.digest();
        var decision = image.decide(command);
        assertThat(decision).isInstanceOf(Decision.Refused.class);
        var problem = ((Decision.Refused) decision).problem();
        assertThat(problem.type()).isEqualTo(type);
        assertThat(problem.detail()).contains(detail);
        assertThat(image.digest()).isEqualTo(before);
    }

    void changesNothing(Command<?> command) {
        assertThat(image.decide(command)).isEqualTo(new Decision.AlreadyApplied());
    }

    static List<String> types(Replayed replayed) {
        return replayed.events().stream().map(event -> event.event().type()).toList();
    }
}
