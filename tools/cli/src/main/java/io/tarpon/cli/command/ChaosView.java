package io.tarpon.cli.command;

import io.tarpon.chaos.ChaosResult;
import io.tarpon.chaos.MetadataTrialResult;
import io.tarpon.chaos.TrialResult;
import io.tarpon.chaos.Trouble;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;
import java.util.List;

/// What came of a chaos run, for people.
final class ChaosView {
    private ChaosView() {}

    static void show(Console console, TrialResult result) {
        switch (result) {
            case ChaosResult all -> {
                heading(console, all.seed(), all.seconds(), ", store: " + all.store(), all.faults());
                console.table(outcome(all));
                verdict(console, all, "every version ended, no wrong byte, every event once");
            }
            case MetadataTrialResult metadata -> {
                heading(console, metadata.seed(), metadata.seconds(), "", metadata.faults());
                console.table(outcome(metadata));
                console.line("");
                var replicas = new Table("REPLICA", ">REVISION", "DIGEST");
                metadata.replicas().forEach(each -> replicas.row(each.name(), each.revision(), each.digest()));
                console.table(replicas);
                verdict(console, metadata, "equal digests, no lost command, every event once");
            }
        }
    }

    private static void heading(Console console, long seed, long seconds, String more, List<Trouble.Faults> faults) {
        console.heading("seed " + seed + ", " + seconds + " s of trouble" + more);
        var table = new Table("PROCESS", ">KILLED", ">PAUSED", ">RESTARTED");
        faults.forEach(each -> table.row(each.process(), each.killed(), each.paused(), each.restarted()));
        console.table(table);
        console.line("");
    }

    private static void verdict(Console console, TrialResult result, String good) {
        console.line("");
        if (result.isGood()) {
            console.line(good);
        } else {
            result.wrong().forEach(each -> console.line("wrong: " + each));
        }
    }

    private static Table outcome(MetadataTrialResult result) {
        var commands = result.commands();
        return new Table("WHAT", ">COUNT")
                .row("commands acknowledged", commands.all())
                .row("  versions begun", commands.begun())
                .row("  planned", commands.planned())
                .row("  sealed", commands.sealed())
                .row("  failed", commands.failed())
                .row("  removed", commands.removed())
                .row("  shards sealed", commands.shardsSealed())
                .row("events", result.events().records())
                .row("  told twice", result.events().duplicates());
    }

    private static Table outcome(ChaosResult result) {
        var versions = result.versions();
        var reads = result.reads();
        return new Table("WHAT", ">COUNT")
                .row("versions asked for", versions.asked())
                .row("  sealed", versions.sealed())
                .row("  unchanged, the one before given back", versions.unchanged())
                .row("  failed with a reason, then tried again", versions.failed())
                .row("  removed and collected", versions.removed())
                .row("shards read whole", reads.whole())
                .row("parts of shards read", reads.ranges())
                .row("reads resumed after a break", reads.resumed())
                .row("  connections broken", reads.broken())
                .row("  connections stalled", reads.stalled())
                .row("  answers 503", reads.unavailable())
                .row("  nobody answered", reads.away())
                .row("  answers 410, removed meanwhile", reads.gone())
                .row("reads given up", reads.gaveUp())
                .row("bytes read", Sizes.human(reads.bytes()))
                .row("reads with wrong bytes", reads.wrongBytes())
                .row("events", result.events().records())
                .row("  told twice", result.events().duplicates());
    }
}
