package io.tarpon.cli;

import io.tarpon.cluster.Pause;
import io.tarpon.cluster.client.Metadata;
import io.tarpon.cluster.console.Console;
import io.tarpon.wire.metadata.GarbageReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/// A collection of garbage that waits for what may be deleted in a moment: a version that was removed just now stays
/// until no gateway can believe any more that it is there, and all of them until metadata-svc, just started, has heard
/// from the readers. Everything else that must wait is only said.
public final class GarbageRun {
    private static final Set<String> SOON = Set.of("removed-just-now", "readers-unknown");

    private final Metadata metadata;
    private final Console console;
    private final Duration patience;
    private final Duration pause;

    public GarbageRun(Metadata metadata, Console console) {
        this(metadata, console, Duration.ofMinutes(1), Duration.ofMillis(500));
    }

    GarbageRun(Metadata metadata, Console console, Duration patience, Duration pause) {
        this.metadata = metadata;
        this.console = console;
        this.patience = patience;
        this.pause = pause;
    }

    /// What a collection would delete now.
    public GarbageReport look() {
        return metadata.collectGarbage(true);
    }

    /// What was deleted over all, and what still waits.
    public GarbageReport collect() {
        var deadline = Instant.now().plus(patience);
        var report = metadata.collectGarbage(false);
        try (var progress = console.progress("waiting for what was removed just now", patience.toSeconds())) {
            while (report.waiting().stream().anyMatch(GarbageRun::endsSoon)
                    && Instant.now().isBefore(deadline)) {
                progress.at(
                        patience.minus(Duration.between(Instant.now(), deadline))
                                .toSeconds(),
                        report.waiting().size() + " versions");
                Pause.of(pause);
                report = sum(report, metadata.collectGarbage(false));
            }
        }
        return report;
    }

    private static boolean endsSoon(GarbageReport.Waiting waiting) {
        return SOON.contains(waiting.why());
    }

    private static GarbageReport sum(GarbageReport before, GarbageReport now) {
        return new GarbageReport(
                now.dryRun(),
                before.objects() + now.objects(),
                before.bytes() + now.bytes(),
                before.uploads() + now.uploads(),
                before.blocks() + now.blocks(),
                before.blockBytes() + now.blockBytes(),
                now.waiting(),
                now.unreachable());
    }
}
