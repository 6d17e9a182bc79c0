package io.tarpon.bench;

import io.tarpon.bench.BenchDocument.Machine;
import io.tarpon.bench.disk.MachineFacts;
import io.tarpon.bench.disk.WorkFolder;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Interruption;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.plan.Programs;
import io.tarpon.cluster.plan.ServiceForm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One run of the benchmarks: each measures, then stops what it started; one that fails is reported and costs only its
/// own rows. That a goal is missed is no failure.
public final class BenchRun {
    private static final Set<String> GOOD_CONTROL = Set.of("reno", "cubic");

    private final Console console;
    private final BenchSettings settings;
    private final Path product;
    private final Set<String> selected;
    private final Figures figures;

    public BenchRun(Console console, BenchSettings settings, Path product, Set<String> selected) {
        this.console = console;
        this.settings = settings;
        this.product = product;
        this.selected = selected;
        this.figures = new Figures(console, selected);
    }

    /// Returns the exit code.
    public int run() {
        var machine = machine();
        var tools = Bench.Tools.find();
        try (var interruption = Interruption.open()) {
            try (var work = WorkFolder.in(settings.folder())) {
                console.note("everything is kept in " + work.path() + " and deleted at the end");
                run(new Bench(console, settings, work, product, tools));
            } finally {
                interruption.calm();
            }
        }
        var document = new BenchDocument(machine, versions(tools), figures.rows(), figures.failed());
        console.document(document);
        BenchView.header(document).forEach(console::line);
        console.table(BenchView.table(document.rows()));
        BenchView.failures(document).forEach(console::line);
        return document.failed().isEmpty() ? 0 : CommandFailure.FAILED;
    }

    private void run(Bench bench) {
        figures.measure(
                Set.of(BenchNames.HOT, BenchNames.RANDOM, BenchNames.REMOTE, BenchNames.SLOW), () -> read(bench));
        figures.measure(Set.of(BenchNames.COLD), () -> figures.add(ColdRows.cold(bench)));
        figures.measure(BenchNames.EPOCHS_AND_BATCHES, () -> epochs(bench));
        figures.measure(Set.of(BenchNames.EPOCH_COLD), () -> figures.add(ColdEpochRows.cold(bench)));
        figures.measure(Set.of(BenchNames.FILES), () -> figures.add(FileIngestRows.files(bench)));
        figures.measure(Set.of(BenchNames.S3), () -> figures.add(S3IngestRows.s3(bench)));
        figures.measure(
                Set.of(BenchNames.LOOKUPS, BenchNames.COMMITS),
                () -> figures.add(MetadataRows.metadata(bench, selected)));
        figures.measure(Set.of(BenchNames.SHARED_COMMITS), () -> figures.add(MetadataRows.sharedLog(bench, selected)));
        figures.measure(Set.of(BenchNames.SIZES), () -> figures.add(MetadataSizeRows.sizes(bench)));
    }

    private void read(Bench bench) throws IOException {
        try (var lab = ReadLab.open(bench)) {
            var reads = new ReadRows(bench, lab);
            one(BenchNames.HOT, reads::hot);
            one(BenchNames.RANDOM, reads::random);
            one(BenchNames.REMOTE, reads::remote);
            one(BenchNames.SLOW, new SlowRows(bench, lab)::slow);
        }
    }

    private void epochs(Bench bench) throws IOException {
        try (var lab = ReadLab.open(bench, "epoch", EpochDatasets.of(bench.settings(), selected))) {
            var epochs = new EpochRows(bench, lab);
            one(BenchNames.EPOCH_LARGE, epochs::large);
            one(BenchNames.EPOCH_SMALL, epochs::small);
            var starts = new EpochStartRows(bench, lab);
            one(BenchNames.FIRST_BYTE, starts::firstByte);
            one(BenchNames.RESUME, starts::resume);
            var batches = new BatchRows(bench, lab);
            one(BenchNames.BATCH_ORDERED, batches::ordered);
            one(BenchNames.BATCH_LINK, batches::link);
        }
    }

    private interface Rows {
        List<BenchRow> measure() throws IOException;
    }

    private void one(String name, Rows benchmark) {
        figures.measure(Set.of(name), () -> {
            console.note(name);
            figures.add(benchmark.measure());
        });
    }

    private Map<String, @Nullable String> versions(Bench.Tools tools) {
        var versions = new LinkedHashMap<String, @Nullable String>();
        versions.put("tarpon", Programs.VERSION);
        versions.put("services", System.getenv().getOrDefault(Programs.VARIABLE, ServiceForm.JVM.wireName()));
        versions.put("jdk", Runtime.version().toString());
        tools.all().forEach(tool -> versions.put(tool.name(), tool.version()));
        return versions;
    }

    private Machine machine() {
        var control = MachineFacts.congestionControl();
        var cores = Runtime.getRuntime().availableProcessors();
        var load = MachineFacts.load();
        var warnings = new ArrayList<String>();
        if (!GOOD_CONTROL.contains(control)) {
            warnings.add(
                    "TCP runs under " + control + ": on loopback that measures its timers. Not for figures to keep; "
                            + "try as root, or: unshare -Urn");
        }
        if (load > cores / 2.0) {
            warnings.add("other programs kept the machine busy when this run began");
        }
        if (settings.quick()) {
            warnings.add("a quick run: little data, short runs");
        }
        return new Machine(
                cores,
                MachineFacts.cpu(),
                MachineFacts.memoryBytes(),
                System.getProperty("os.version"),
                control,
                settings.ownNamespace(),
                load,
                warnings);
    }
}
