package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.disk.LogTail;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows the last log lines of one process or of all.
@Command(name = "logs", description = "Show the last log lines of one process, or of all.")
public final class Logs extends TarponCommand {
    private static final int MAX_LINES = 10_000;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "A name that 'tarpon status' shows.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = {"-n", "--lines"},
            description = "How many lines of each process (default 20).")
    private int lines = 20;

    @Override
    int run(Context context) {
        if (lines < 1 || lines > MAX_LINES) {
            throw CommandFailure.usage("--lines " + lines + " is not between 1 and " + MAX_LINES, "try: --lines 100");
        }
        var document = new LinkedHashMap<String, List<String>>();
        for (var process : processes(ClusterPlan.names(context.state().shape()))) {
            document.put(process, tail(context.state().paths(), process));
        }
        // Logs outlive the cluster: after a failure they are what there is to look at.
        if (document.values().stream().allMatch(List::isEmpty)
                && !context.cluster().isRunning()) {
            throw CommandFailure.notRunning();
        }
        context.console().document(document);
        document.forEach((process, tail) -> {
            if (name.isEmpty()) {
                context.console().heading(process);
            }
            tail.forEach(context.console()::line);
        });
        return 0;
    }

    private List<String> processes(List<String> names) {
        if (name.isPresent() && !names.contains(name.get())) {
            throw CommandFailure.usage(
                    "no process is named '" + name.get() + "'", "one of: " + String.join(", ", names));
        }
        return name.map(List::of).orElse(names);
    }

    /// The log, and below it what the process printed itself, where it printed anything: last words of a JVM are there.
    private List<String> tail(ClusterPaths paths, String process) {
        try {
            var tail = new ArrayList<>(new LogTail(paths.log(process)).last(lines));
            tail.addAll(new LogTail(paths.output(process)).last(lines));
            return tail;
        } catch (IOException e) {
            throw CommandFailure.failed("cannot read the log of " + process + ": " + e, "check its rights");
        }
    }
}
