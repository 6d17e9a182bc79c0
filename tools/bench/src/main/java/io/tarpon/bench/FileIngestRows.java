package io.tarpon.bench;

import io.tarpon.bench.disk.CpuTimes;
import io.tarpon.bench.disk.FileTree;
import io.tarpon.bench.disk.WorkFolder;
import io.tarpon.bench.lab.Lab;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A folder of many small files, from the request to the sealed version, beside `tar -cf` of the same folder.
/// Tarpon makes what it writes durable and hashes it, tar does neither; before each run what the other wrote is
/// on the disk.
final class FileIngestRows {
    private static final int FILES = 250_000;
    private static final int MEAN_FILE_BYTES = (int) ((5L << 30) / FILES);
    private static final long SHARD_BYTES = 256L << 20;

    private final Bench bench;
    private final Lab lab;
    private final Path home;
    private final List<Member> servers;
    private final int files;
    private long bytes;

    private FileIngestRows(Bench bench, Lab lab, Path home, List<Member> servers) {
        this.bench = bench;
        this.lab = lab;
        this.home = home;
        this.servers = servers;
        this.files = bench.settings().scaled(FILES);
    }

    static List<BenchRow> files(Bench bench) throws IOException {
        var home = bench.work().folder("files");
        bench.work().requireRoom(4L * bench.settings().scaled(FILES) * MEAN_FILE_BYTES, BenchNames.FILES);
        bench.note(BenchNames.FILES + ": starting a cluster and making files");
        try (var lab = Lab.open(bench.console(), home.resolve("state"), bench.product())) {
            var servers = lab.start(lab.plan(false).members().stream()
                    .filter(FileIngestRows::isNeeded)
                    .toList());
            return new FileIngestRows(bench, lab, home, servers).rows();
        }
    }

    static boolean isNeeded(Member member) {
        return !member.name().equals(ClusterPlan.GATEWAY) && !member.name().startsWith("block-svc");
    }

    private List<BenchRow> rows() throws IOException {
        bytes = new FileTree(files, MEAN_FILE_BYTES).write(home.resolve("tree"));
        var source = Datasets.folder(lab, home.resolve("tree"));
        var tar = bench.tools().tar();
        var outcome = Duel.run(
                bench.settings().rounds(),
                round -> ingest(source, "files-" + round),
                tar.installed()
                        .<Duel.Contender>map(program -> round -> tar(program))
                        .orElse(null));
        var rows = new ArrayList<>(Row.ofBytes(BenchNames.FILES)
                .rateAndCosts(outcome, tar.as(" -cf"), Goal.atLeast(Goal.Figure.RATIO, 0.35)));
        var seconds = outcome.reference().map(series -> bytes / series.rate()).orElse(null);
        rows.add(BenchRow.of(
                BenchNames.FILES + "/seconds",
                "s for " + files,
                bytes / outcome.tarpon().rate(),
                seconds,
                tar.as(" -cf"),
                null,
                null));
        return rows;
    }

    private Sample ingest(String source, String dataset) throws IOException {
        run(List.of("sync"));
        var window = new CpuWindow(servers);
        window.begin();
        var began = System.nanoTime();
        Datasets.ingest(lab, source, dataset, SHARD_BYTES, files);
        var sample = window.end((double) bytes, (System.nanoTime() - began) / 1e9);
        // Room for the next; nobody reads this version.
        WorkFolder.delete(
                lab.context().state().paths().store().resolve("datasets").resolve(dataset));
        return sample;
    }

    private Sample tar(Path program) throws IOException {
        run(List.of("sync"));
        var archive = home.resolve("reference.tar");
        var cpu = CpuTimes.ofEndedChildren();
        var began = System.nanoTime();
        run(List.of(program.toString(), "-cf", archive.toString(), "-C", home.toString(), "tree"));
        var seconds = (System.nanoTime() - began) / 1e9;
        var spent = CpuTimes.ofEndedChildren() - cpu;
        if (WorkFolder.size(archive) < bytes) {
            throw CommandFailure.failed("tar wrote less than it read", "");
        }
        WorkFolder.delete(archive);
        return new Sample(bytes, seconds, spent, spent);
    }

    static void run(List<String> command) throws IOException {
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IOException(String.join(" ", command) + " ended with " + exit);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }
}
