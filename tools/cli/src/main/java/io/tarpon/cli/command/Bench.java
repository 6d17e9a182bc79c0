package io.tarpon.cli.command;

import io.tarpon.bench.BenchNames;
import io.tarpon.bench.BenchRun;
import io.tarpon.bench.BenchSettings;
import io.tarpon.bench.Namespace;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Figures beside a reference in the same run, on clusters of its own.
@Command(
        name = "bench",
        description = "Measure reads, epochs, batches, ingest and metadata beside nginx, tar and others, on throw-away"
                + " clusters.")
public final class Bench extends TarponCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "read, epoch, batch, ingest, metadata, or one row such as read/hot; all without a name.")
    private List<String> names = List.of();

    @Option(names = "--quick", description = "A tenth of the data and short runs: to see that it works.")
    private boolean quick;

    @Option(names = "--rounds", paramLabel = "N", description = "Runs of each side, of which the median counts (5).")
    private int rounds = BenchSettings.DEFAULT_ROUNDS;

    @Option(names = "--dir", paramLabel = "DIR", description = "Where the throw-away folder is made (temporary files).")
    private @Nullable Path folder;

    @Option(names = Namespace.INSIDE, hidden = true)
    private @Nullable String inside;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    int run(Context context) {
        var selected = BenchNames.selected(names);
        var settings = settings();
        if (inside != null) {
            return new BenchRun(
                            context.console(), settings, context.state().paths().product(), selected)
                    .run();
        }
        return Namespace.run(context.console(), given());
    }

    private BenchSettings settings() {
        try {
            var parent = folder == null ? Path.of(System.getProperty("java.io.tmpdir")) : folder;
            return new BenchSettings(quick, rounds, parent, Namespace.isOwn(inside));
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()), "see: ./tarpon bench --help");
        }
    }

    /// The whole command line, `bench` included.
    private List<String> given() {
        if (spec == null) {
            throw new IllegalStateException("not called as a command");
        }
        return spec.root().commandLine().getParseResult().originalArgs();
    }
}
