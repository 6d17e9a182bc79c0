package io.tarpon.metadata;

import io.tarpon.metadata.SizedPresence.Trouble;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/// Prints what clusters of so many nodes would do, as the tables of `k8s/SIZING.md`: where blocks lie, who is taken for
/// lost, and what manifests come to, by the service's own classes and without a process beside this one. The same
/// numbers come out each time, but for those in microseconds.
///
/// Arguments: numbers of nodes; 10, 100 and 1,000 without. Half a minute, in a heap of 512 MiB.
public final class SizingTables {
    private static final long[] NODES = {10, 100, 1_000};
    private static final int BLOCKS = 10_000;
    private static final int ZONES = 3;
    private static final long SEED = 2026;
    /// Some 10 TB.
    private static final int SHARDS_OF_A_VERSION = 40_000;

    private static final int NODES_OF_A_VERSION = 10;
    private static final double PERCENT = 100;
    private static final double KIB = 1 << 10;
    private static final double MIB = 1 << 20;

    private final PrintStream out;
    private final List<Integer> nodes;
    private final int versionShards;

    private SizingTables(PrintStream out, List<Integer> nodes, int versionShards) {
        this.out = out;
        this.nodes = nodes;
        this.versionShards = versionShards;
    }

    public static void main(String[] arguments) {
        var nodes = arguments.length == 0
                ? LongStream.of(NODES).mapToObj(Math::toIntExact).toList()
                : List.of(arguments).stream().map(Integer::parseInt).toList();
        print(System.out, nodes, SHARDS_OF_A_VERSION);
    }

    /// @param versionShards of the one version that is made, for ten nodes
    static void print(PrintStream out, List<Integer> nodes, int versionShards) {
        var tables = new SizingTables(out, nodes, versionShards);
        tables.placement();
        tables.presence();
        tables.troubles();
        tables.manifests();
        out.flush();
    }

    private void placement() {
        say("placement: %,d blocks, %d replicas", BLOCKS, SizedPlacement.REPLICAS);
        head("nodes", "zones", "replicas a node", "emptiest", "fullest", "spread (1 is chance)")
                .and("two replicas together", "node gone: moved", "of it held", "taken over by")
                .and("node more: moved", "moved needlessly", "µs a block")
                .end();
        for (var count : nodes) {
            place(count, count);
            place(count, ZONES);
        }
        out.println();
    }

    private void place(int count, int zones) {
        var sized = SizedPlacement.of(count, zones, BLOCKS);
        row(
                grouped(count),
                zones == count ? "one each" : grouped(zones),
                decimal(sized.mean()),
                share(sized.least() / sized.mean()),
                share(sized.most() / sized.mean()),
                String.format(Locale.ROOT, "%.2f", sized.spread()),
                grouped(sized.doubled()),
                share(sized.leftShare()),
                sized.left() + " of " + sized.held(),
                grouped(sized.takers()) + " nodes",
                share(sized.joinedShare()),
                grouped(sized.astray()),
                decimal(sized.micros()));
    }

    private void presence() {
        say("presence: %d replicas, a gateway a node, %d s", SizedPresence.REPLICAS, SizedPresence.SECONDS);
        head("nodes", "signs/s", "written, KiB/s", "read by all replicas, KiB/s")
                .and("whole list, KiB", "one node lost, bytes", "µs a look")
                .end();
        for (var count : nodes) {
            var calm = SizedPresence.of(count, Trouble.NONE, SEED);
            var death = SizedPresence.of(count, Trouble.ONE_DIES, SEED);
            row(
                    grouped(count),
                    decimal(calm.signs()),
                    decimal(calm.signBytes() / KIB),
                    decimal(SizedPresence.REPLICAS * calm.signBytes() / KIB),
                    decimal(calm.listBytes() / KIB),
                    grouped(death.changeBytes() / Math.max(1, death.changes())),
                    decimal(calm.lookMicros()));
        }
        out.println();
    }

    private void troubles() {
        say("presence in trouble: %d s, of which the trouble begins after 20", SizedPresence.SECONDS);
        head("trouble", "nodes", "living nodes said to be lost", "answers with news", "KiB of these to one follower")
                .and("told after, s")
                .end();
        for (var trouble : Trouble.values()) {
            for (var count : nodes) {
                var sized = SizedPresence.of(count, trouble, SEED);
                row(
                        trouble.words,
                        grouped(count),
                        grouped(sized.falselyLost()),
                        grouped(sized.changes()),
                        decimal(sized.changeBytes() / KIB),
                        sized.tellSeconds() == 0 ? "-" : decimal(sized.tellSeconds()));
            }
        }
        out.println();
    }

    private void manifests() {
        var version = SizedManifests.of(versionShards);
        say(
                "manifests: one version of %,d shards is made, which is for %d nodes; others are multiples",
                versionShards, NODES_OF_A_VERSION);
        head("nodes", "made or multiplied", "shards", "log entries", "log, MiB", "snapshot, MiB", "pairs of it")
                .and("pages of lists", "lists, MiB", "replay, s")
                .end();
        for (var count : nodes) {
            manifests(version, (double) count / NODES_OF_A_VERSION);
        }
        out.println();
        say(
                "of one shard: %d bytes of log, %d of a snapshot, %d of a list; %.0f µs of replay",
                (version.planBytes() + version.sealBytes()) / version.shards(),
                version.snapshotBytes() / version.shards(),
                version.pageBytes() / version.shards(),
                version.replayMicros());
    }

    private void manifests(SizedManifests version, double times) {
        var shards = times * version.shards();
        row(
                grouped(Math.round(times * NODES_OF_A_VERSION)),
                version.shards() == shards ? "made" : "× " + decimal(times),
                grouped(Math.round(shards)),
                grouped(Math.round(times * (version.planEntries() + version.shards()))),
                grouped(Math.round(times * (version.planBytes() + version.sealBytes()) / MIB)),
                grouped(Math.round(times * version.snapshotBytes() / MIB)),
                grouped(Math.round(times * version.snapshotPairs())),
                grouped(Math.round(times * version.pages())),
                grouped(Math.round(times * version.pageBytes() / MIB)),
                grouped(Math.round(times * version.shards() * version.replayMicros() / 1e6)));
    }

    private void say(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n%n", values);
    }

    private Head head(String... columns) {
        return new Head(String.join(" | ", columns), columns.length);
    }

    private void row(String... cells) {
        out.println("| " + String.join(" | ", cells) + " |");
    }

    private static String share(double of) {
        return String.format(Locale.ROOT, "%.1f %%", PERCENT * of);
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
    }

    private static String grouped(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private final class Head {
        private final String text;
        private final int columns;

        private Head(String text, int columns) {
            this.text = text;
            this.columns = columns;
        }

        private Head and(String... more) {
            return new Head(text + " | " + String.join(" | ", more), columns + more.length);
        }

        private void end() {
            out.println("| " + text + " |");
            out.println("|" + " --- |".repeat(columns));
        }
    }
}
