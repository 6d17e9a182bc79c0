package io.tarpon.cluster;

import io.tarpon.cluster.client.IngestRequests;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Progress;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/// One request for a version, followed until the version is sealed or failed. Services may come and go meanwhile: what
/// does not answer is asked again for a while, and a version that stands still is given up in the end.
public final class IngestRun {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Console console;
    private final MetadataClient metadata;
    private final IngestRequests requests;
    private final Patience patience;

    /// How long to wait, without a sign, for what.
    ///
    /// @param begin for the version to be begun
    /// @param silence for metadata-svc to answer at all
    /// @param note before saying that nothing moves
    /// @param standstill before giving up on a version that does not move
    record Patience(Duration begin, Duration silence, Duration note, Duration standstill) {
        static final Patience USUAL = new Patience(
                Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(30), Duration.ofMinutes(30));
    }

    IngestRun(Console console, MetadataClient metadata, IngestRequests requests, Patience patience) {
        this.console = console;
        this.metadata = metadata;
        this.requests = requests;
        this.patience = patience;
    }

    /// The version as it stands when it was begun.
    public static VersionRecord begin(Context context, Roster roster, DatasetUploaded request) {
        try (var metadata = MetadataClient.readOnly(roster.metadata())) {
            var run = of(context, roster, metadata);
            var id = newId();
            run.send(request, id);
            return run.awaitBegun(id);
        }
    }

    /// The version when it is sealed or failed; where its plan was equal to an earlier one's, that one.
    public static VersionRecord follow(Context context, Roster roster, DatasetUploaded request) {
        try (var metadata = MetadataClient.readOnly(roster.metadata())) {
            return of(context, roster, metadata).run(request);
        }
    }

    private static IngestRun of(Context context, Roster roster, MetadataClient metadata) {
        var requests = new IngestRequests(
                context.http(), roster.ingest(), context.state().token());
        return new IngestRun(context.console(), metadata, requests, Patience.USUAL);
    }

    /// The version that failed, planned again under its own number and followed to its end.
    ///
    /// @param version as metadata-svc took it back to planning
    public static VersionRecord again(Context context, Roster roster, VersionRecord version) {
        try (var metadata = MetadataClient.readOnly(roster.metadata())) {
            // Where it is still seen as failed, it would seem to have failed again.
            return of(context, roster, metadata.upToDate()).run(request(version), version.requestId());
        }
    }

    /// What was asked for when the version was begun.
    static DatasetUploaded request(VersionRecord version) {
        var spec = version.spec();
        var overrides = new DatasetUploaded.SpecOverrides(
                spec.splits(),
                spec.shardBytes(),
                spec.shardsMultipleOf(),
                spec.seed(),
                spec.replicas(),
                spec.grow(),
                spec.leftOut());
        return new DatasetUploaded(spec.source(), version.dataset(), overrides, false);
    }

    VersionRecord run(DatasetUploaded request) {
        return run(request, newId());
    }

    /// @param id of the request: one that was sent before means the same version
    VersionRecord run(DatasetUploaded request, String id) {
        try (var progress = console.progress("ingesting", 0)) {
            send(request, id);
            awaitBegun(id);
            return followed(id, progress);
        }
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    private void send(DatasetUploaded request, String id) {
        requests.send(new Events.Envelope(id, "/cli", Instant.now(), Optional.empty()), request);
    }

    private VersionRecord awaitBegun(String id) {
        var deadline = Instant.now().plus(patience.begin());
        while (Instant.now().isBefore(deadline)) {
            var begun = ask(() -> metadata.versionOfRequest(id));
            if (begun.isPresent()) {
                return begun.get();
            }
            Pause.of(POLL);
        }
        throw CommandFailure.failed(
                "the request was accepted, but no version was begun within "
                        + patience.begin().toSeconds() + " s",
                "look at: ./tarpon dlq ls, ./tarpon status, ./tarpon logs ingest-fn");
    }

    private VersionRecord followed(String id, Progress progress) {
        var revision = -1L;
        var moved = Instant.now();
        var noted = moved;
        while (true) {
            var version = ask(() -> metadata.versionOfRequest(id))
                    .map(this::original)
                    .orElseThrow(() -> CommandFailure.failed("the version is gone", "look at: ./tarpon ls"));
            if (version.state().isEnd()) {
                if (!version.requestId().equals(id)) {
                    console.note("the source has not changed since " + version.dataset() + "@" + version.version()
                            + " was made of it (--force makes a new version)");
                }
                return version;
            }
            show(version, progress);
            var now = Instant.now();
            if (version.revision() != revision) {
                revision = version.revision();
                moved = now;
                noted = now;
            }
            requireMoving(version, Duration.between(moved, now));
            if (Duration.between(noted, now).compareTo(patience.note()) > 0) {
                console.note(name(version) + " has been " + version.state().wireName() + " without a step for "
                        + Duration.between(moved, now).toSeconds() + " s; look at: ./tarpon status");
                noted = now;
            }
            Pause.of(POLL);
        }
    }

    private void requireMoving(VersionRecord version, Duration still) {
        if (still.compareTo(patience.standstill()) > 0) {
            throw CommandFailure.failed(
                    name(version) + " is " + version.state().wireName() + " and has not moved for "
                            + patience.standstill().toSeconds() + " s",
                    "look at: ./tarpon status, ./tarpon logs; it goes on when its services do");
        }
    }

    private static void show(VersionRecord version, Progress progress) {
        if (version.state() == VersionState.BUILDING) {
            var splits = version.splits();
            progress.total(version.bytes());
            progress.at(
                    splits.stream().mapToLong(SplitRecord::sealedBytes).sum(),
                    Sizes.human(version.bytes()) + " in "
                            + splits.stream().mapToInt(SplitRecord::shards).sum() + " shards");
        }
    }

    /// The version that this one was dropped for, which may be in work still; itself where it was not.
    private VersionRecord original(VersionRecord version) {
        var sameAs = version.sameAs();
        return sameAs == null ? version : ask(() -> metadata.version(version.dataset(), sameAs));
    }

    private static String name(VersionRecord version) {
        return version.dataset() + "@" + version.version();
    }

    /// A question to metadata-svc.
    private interface Question<T> {
        T ask() throws IOException;
    }

    /// Asks until there is an answer: metadata-svc may be on its way back. What it refuses for good is not asked again.
    private <T> T ask(Question<T> question) {
        var deadline = Instant.now().plus(patience.silence());
        while (true) {
            Exception failure;
            try {
                return question.ask();
            } catch (TarponException e) {
                // A service that is being stopped may answer anything.
                if (!e.type().retryable() && e.type() != ProblemType.INTERNAL) {
                    throw CommandFailure.failed(e.detail(), "look at: ./tarpon ls");
                }
                failure = e;
            } catch (IOException e) {
                failure = e;
            }
            if (Instant.now().isAfter(deadline)) {
                throw CommandFailure.failed(
                        "metadata-svc does not answer: " + failure.getMessage(), "look at: ./tarpon status");
            }
            Pause.of(POLL);
        }
    }
}
