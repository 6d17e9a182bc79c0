package io.tarpon.cli.command;

import io.tarpon.chaos.ChaosResult;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Sizes;
import io.tarpon.cluster.console.Table;

/// What came of a chaos run, for people.
final class ChaosView {
    private ChaosView() {}

    static void show(Console console, ChaosResult result) {
        console.heading("seed " + result.seed() + ", " + result.seconds() + " s of trouble, store: " + result.store());
        var faults = new Table("PROCESS", ">KILLED", ">PAUSED", ">RESTARTED");
        result.faults().forEach(each -> faults.row(each.process(), each.killed(), each.paused(), each.restarted()));
        console.table(faults);
        console.line("");
        console.table(outcome(result));
        console.line("");
        if (result.isGood()) {
            console.line("every version ended, no wrong byte, every event once");
        } else {
            result.wrong().forEach(each -> console.line("wrong: " + each));
        }
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
