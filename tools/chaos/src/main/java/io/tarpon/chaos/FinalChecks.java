package io.tarpon.chaos;

import io.tarpon.cluster.Context;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.process.BrokerTool;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What must hold when all is calm again: every version has ended, with a reason where it failed; every version that
/// may be read holds exactly what its source held; every change was told once.
final class FinalChecks {
    private static final Duration PUBLISH_PATIENCE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String TOPIC = "tarpon.events";

    private final Context context;
    private final Roster roster;
    private final List<DatasetName> datasets;
    private final SealedVersions versions;
    private final VerifiedRead read;
    private final ExpectedEvents expected;
    private final Findings findings;

    FinalChecks(
            Context context,
            Roster roster,
            List<DatasetName> datasets,
            SealedVersions versions,
            VerifiedRead read,
            ExpectedEvents expected,
            Findings findings) {
        this.context = context;
        this.roster = roster;
        this.datasets = datasets;
        this.versions = versions;
        this.read = read;
        this.expected = expected;
        this.findings = findings;
    }

    ChaosResult.Told run(MetadataClient metadata) throws InterruptedException {
        var records = Insistence.on("the list of versions", metadata::datasets).stream()
                .filter(dataset -> datasets.contains(dataset.dataset()))
                .flatMap(dataset -> dataset.versions().stream())
                .toList();
        records.forEach(this::hasEnded);
        records.forEach(expected::of);
        var all = versions.all();
        try (var progress = context.console().progress("reading all of it once more", all.size())) {
            int done = 0;
            for (var version : all) {
                read.everything(version);
                progress.at(++done, version.name());
            }
        }
        return events();
    }

    private void hasEnded(VersionRecord version) {
        var name = version.dataset() + "@" + version.version();
        if (!version.state().isEnd()) {
            findings.add(name + " is still " + version.state().wireName());
        }
        var reason = version.reason();
        if (version.state() == VersionState.FAILED && (reason == null || reason.isBlank())) {
            findings.add(name + " failed without a reason");
        }
    }

    /// The last events may still be on their way.
    private ChaosResult.Told events() throws InterruptedException {
        var deadline = Instant.now().plus(PUBLISH_PATIENCE);
        while (true) {
            var events = new BrokerTool(context.state().paths(), roster).dump(TOPIC, PublishedEvents::read);
            var missing = expected.missing(events);
            if (missing.isEmpty() || Instant.now().isAfter(deadline)) {
                events.complaints().forEach(findings::add);
                missing.forEach(
                        event -> findings.add(event.type() + " of " + event.subject() + " was not told on " + TOPIC));
                return new ChaosResult.Told(events.records(), events.duplicates());
            }
            Thread.sleep(PAUSE);
        }
    }
}
