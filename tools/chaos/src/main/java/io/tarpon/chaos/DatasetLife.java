package io.tarpon.chaos;

import io.tarpon.chaos.disk.ChangingFolder;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.client.Gateway;
import io.tarpon.cluster.client.IngestRequests;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// One dataset that is ingested again and again while its folder changes, with and without growth; failed versions are
/// tried again, old ones removed and collected. Owned by one thread.
final class DatasetLife {
    private static final Duration STANDSTILL = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long SHARD_BYTES = 1L << 20;
    private static final int KEPT_VERSIONS = 3;
    private static final int RETRIES = 3;

    /// The service collects once at a time and refuses whoever asks meanwhile.
    private static final Object COLLECTING = new Object();

    private final DatasetName dataset;
    private final ChangingFolder folder;
    private final String source;
    private final Random random;
    private final MetadataClient metadata;
    private final IngestRequests requests;
    private final Gateway gateway;
    private final SealedVersions versions;
    private final ExpectedEvents expected;
    private final Findings findings;
    private final Deque<SealedVersion> sealed = new ArrayDeque<>();
    private final Counts counts;

    /// What all datasets came to. Safe for several threads.
    static final class Counts {
        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger sealed = new AtomicInteger();
        final AtomicInteger unchanged = new AtomicInteger();
        final AtomicInteger failed = new AtomicInteger();
        final AtomicInteger removed = new AtomicInteger();
    }

    DatasetLife(
            DatasetName dataset,
            ChangingFolder folder,
            Random random,
            MetadataClient metadata,
            IngestRequests requests,
            Gateway gateway,
            SealedVersions versions,
            ExpectedEvents expected,
            Findings findings,
            Counts counts) {
        this.dataset = dataset;
        this.folder = folder;
        this.source = folder.path().toUri().toString().replaceAll("/$", "");
        this.random = random;
        this.metadata = metadata;
        this.requests = requests;
        this.gateway = gateway;
        this.versions = versions;
        this.expected = expected;
        this.findings = findings;
        this.counts = counts;
    }

    /// Goes on until `isOver`, and ends after the version that is in work then.
    void run(BooleanSupplier isOver) throws InterruptedException {
        do {
            try {
                ingest();
                removeOldest();
            } catch (CommandFailure e) {
                findings.add(dataset + ": " + e.getMessage());
            }
            if (random.nextInt(8) > 0) {
                folder.change();
            }
        } while (!isOver.getAsBoolean());
    }

    private void ingest() throws InterruptedException {
        var overrides = new SpecOverrides(null, SHARD_BYTES, null, null, null, random.nextBoolean(), null);
        var request = new DatasetUploaded(source, dataset, overrides, false);
        var id = UUID.randomUUID().toString();
        counts.asked.incrementAndGet();
        send(request, id);
        var version = ended(id);
        for (int retry = 0; version.state() == VersionState.FAILED && retry < RETRIES; retry++) {
            counts.failed.incrementAndGet();
            if (version.reason() == null || version.reason().isBlank()) {
                findings.add(name(version) + " failed without a reason");
            }
            var failed = version;
            Insistence.on("the retry of " + name(failed), () -> metadata.retry(dataset, failed.version()));
            send(request, id);
            version = ended(id);
        }
        take(version);
    }

    private void send(DatasetUploaded request, String id) throws InterruptedException {
        Insistence.on("the request for " + dataset, () -> {
            requests.send(new Events.Envelope(id, "/cli", Instant.now(), Optional.empty()), request);
            return id;
        });
    }

    private VersionRecord ended(String id) throws InterruptedException {
        var moved = Instant.now();
        long revision = -1;
        while (true) {
            var version = Insistence.on("metadata-svc", () -> metadata.versionOfRequest(id));
            if (version.isPresent() && version.get().state().isEnd()) {
                expected.of(version.get());
                return version.get();
            }
            var now = version.map(VersionRecord::revision).orElse(0L);
            if (now != revision) {
                revision = now;
                moved = Instant.now();
            }
            if (Duration.between(moved, Instant.now()).compareTo(STANDSTILL) > 0) {
                throw CommandFailure.failed(
                        version.map(DatasetLife::name).orElse("the version of request " + id)
                                + " stood still for " + STANDSTILL.toSeconds() + " s"
                                + version.map(record -> ", " + record.state().wireName())
                                        .orElse(", not begun"),
                        "");
            }
            Thread.sleep(POLL);
        }
    }

    private void take(VersionRecord version) throws InterruptedException {
        var sameAs = version.sameAs();
        if (sameAs != null) {
            counts.unchanged.incrementAndGet();
            versions.whyNotAgain(dataset.value(), sameAs.toString(), folder.contents())
                    .ifPresent(why -> findings.add(name(version) + " was called unchanged, but " + why));
            return;
        }
        if (version.state() != VersionState.SEALED) {
            findings.add(name(version) + " is " + version.state().wireName() + " in the end: " + version.reason());
            return;
        }
        counts.sealed.incrementAndGet();
        Insistence.on("the list of shards of " + name(version), () -> {
            expected.builtFor(version, metadata);
            return version;
        });
        var readable = new SealedVersion(
                dataset.value(),
                version.version().toString(),
                Insistence.on("the list of shards of " + name(version), () -> shards(version)),
                folder.contents(),
                new AtomicBoolean());
        sealed.add(readable);
        versions.add(readable);
    }

    private List<SealedVersion.Shard> shards(VersionRecord version) throws IOException {
        var shards = new ArrayList<SealedVersion.Shard>();
        for (var split : version.splits()) {
            var name = split.name().value();
            var base = gateway.splitUrl(dataset.value(), version.version().toString(), name);
            for (var shard : gateway.shards(dataset.value(), version.version().toString(), name)) {
                var sha256 = shard.sha256();
                if (sha256 == null) {
                    throw new IOException(shard.name() + " has no digest yet");
                }
                shards.add(new SealedVersion.Shard(
                        name, shard.name(), base + "/" + shard.name() + ".tar", shard.bytes(), sha256));
            }
        }
        return shards;
    }

    private void removeOldest() throws InterruptedException {
        if (sealed.size() <= KEPT_VERSIONS) {
            return;
        }
        var oldest = sealed.remove();
        versions.remove(oldest);
        Insistence.on(
                "the removal of " + oldest.name(),
                () -> metadata.remove(dataset, io.tarpon.wire.VersionId.parse(oldest.version())));
        counts.removed.incrementAndGet();
        synchronized (COLLECTING) {
            Insistence.on("a collection of garbage", () -> metadata.collectGarbage(false));
        }
    }

    private static String name(VersionRecord version) {
        return version.dataset() + "@" + version.version();
    }
}
