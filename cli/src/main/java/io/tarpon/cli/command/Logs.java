package io.tarpon.cli.command;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.Context;
import io.tarpon.cli.cluster.Member;
import io.tarpon.cli.disk.LogTail;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows the last log lines of one process or of all.
@Command(name = "logs", description = "Show the last log lines of one process, or of all.")
public final class Logs extends TarponCommand {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "A name that 'tarpon status' shows.")
    private Optional<String> name = Optional.empty();

    @Option(
            names = {"-n", "--lines"},
            description = "How many lines of each process (default 20).")
    private int lines = 20;

    @Override
    int run(Context context) {
        var roster = context.state().roster().orElseThrow(CommandFailure::notRunning);
        var members = name.map(roster::member).map(List::of).orElse(roster.members());
        var document = new TreeMap<String, List<String>>();
        for (var member : members) {
            var tail = tail(context, member);
            document.put(member.name(), tail);
            if (name.isEmpty()) {
                context.console().heading(member.name());
            }
            tail.forEach(context.console()::line);
        }
        context.console().document(new LinkedHashMap<>(document));
        return 0;
    }

    /// The log, and below it what the process printed itself, where it printed anything.
    private List<String> tail(Context context, Member member) {
        try {
            var paths = context.state().paths();
            var log = new LogTail(paths.log(member.name())).last(lines);
            return log.isEmpty() ? new LogTail(paths.output(member.name())).last(lines) : log;
        } catch (IOException e) {
            throw CommandFailure.failed("cannot read the log of " + member.name() + ": " + e.getMessage(), "");
        }
    }
}
