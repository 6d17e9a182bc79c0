package io.tarpon.cli;

import io.tarpon.cli.client.IngestRequests;
import io.tarpon.cli.cluster.Roster;
import io.tarpon.cli.console.Progress;
import io.tarpon.cli.console.Sizes;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/// One request for a version, followed until the version is sealed or failed.
public final class IngestRun {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration BEGIN_PATIENCE = Duration.ofSeconds(60);
    private static final Duration SILENCE_PATIENCE = Duration.ofSeconds(60);

    private final Context context;
    private final Roster roster;

    public IngestRun(Context context, Roster roster) {
        this.context = context;
        this.roster = roster;
    }

    /// The version as it stands when it was begun.
    public VersionRecord begin(DatasetUploaded request) {
        try (var metadata = MetadataClient.readOnly(URI.create(roster.metadata()))) {
            return awaitBegun(metadata, send(request));
        }
    }

    /// The version when it is sealed or failed; where its plan was equal to an earlier one's, that one.
    public VersionRecord run(DatasetUploaded request) {
        try (var metadata = MetadataClient.readOnly(URI.create(roster.metadata()));
                var progress = context.console().progress("ingesting", 0)) {
            var id = send(request);
            awaitBegun(metadata, id);
            return follow(metadata, id, progress);
        }
    }

    private String send(DatasetUploaded request) {
        var id = UUID.randomUUID().toString();
        var envelope = new Events.Envelope(id, "/cli", Instant.now(), Optional.empty());
        new IngestRequests(context.http(), roster.ingest(), context.state().token()).send(envelope, request);
        return id;
    }

    private static VersionRecord awaitBegun(MetadataClient metadata, String id) {
        var deadline = Instant.now().plus(BEGIN_PATIENCE);
        while (Instant.now().isBefore(deadline)) {
            var begun = ask(metadata, id, deadline);
            if (begun.isPresent()) {
                return begun.get();
            }
            LocalCluster.pause(POLL);
        }
        throw CommandFailure.failed(
                "the request was accepted, but no version was begun within " + BEGIN_PATIENCE.toSeconds() + " s",
                "look at: ./tarpon status, ./tarpon logs ingest-fn");
    }

    private static VersionRecord follow(MetadataClient metadata, String id, Progress progress) {
        while (true) {
            var version = ask(metadata, id, Instant.now().plus(SILENCE_PATIENCE))
                    .orElseThrow(() -> CommandFailure.failed("the version is gone", "look at: ./tarpon ls"));
            if (version.state() == VersionState.BUILDING) {
                var splits = version.splits();
                progress.total(version.bytes());
                progress.at(
                        splits.stream().mapToLong(SplitRecord::sealedBytes).sum(),
                        Sizes.human(version.bytes()) + " in "
                                + splits.stream().mapToInt(SplitRecord::shards).sum() + " shards");
            }
            if (version.state().isEnd()) {
                return original(metadata, version);
            }
            LocalCluster.pause(POLL);
        }
    }

    private static VersionRecord original(MetadataClient metadata, VersionRecord version) {
        var sameAs = version.sameAs();
        if (sameAs == null) {
            return version;
        }
        try {
            return metadata.version(version.dataset(), sameAs);
        } catch (IOException e) {
            throw CommandFailure.failed("metadata-svc went away: " + e.getMessage(), "look at: ./tarpon status");
        }
    }

    /// Asks until there is an answer: metadata-svc may be on its way back.
    private static Optional<VersionRecord> ask(MetadataClient metadata, String id, Instant deadline) {
        while (true) {
            try {
                return metadata.versionOfRequest(id);
            } catch (IOException | TarponException e) {
                if (Instant.now().isAfter(deadline)) {
                    throw CommandFailure.failed(
                            "metadata-svc does not answer: " + e.getMessage(), "look at: ./tarpon status");
                }
                LocalCluster.pause(POLL);
            }
        }
    }
}
