package io.tarpon.cli;

import io.tarpon.cli.command.Bench;
import io.tarpon.cli.command.Cancel;
import io.tarpon.cli.command.Cat;
import io.tarpon.cli.command.Chaos;
import io.tarpon.cli.command.Demo;
import io.tarpon.cli.command.Dlq;
import io.tarpon.cli.command.Down;
import io.tarpon.cli.command.Epochs;
import io.tarpon.cli.command.Gc;
import io.tarpon.cli.command.Ingest;
import io.tarpon.cli.command.Link;
import io.tarpon.cli.command.Logs;
import io.tarpon.cli.command.Ls;
import io.tarpon.cli.command.MetadataLog;
import io.tarpon.cli.command.Report;
import io.tarpon.cli.command.Restart;
import io.tarpon.cli.command.Retry;
import io.tarpon.cli.command.Rm;
import io.tarpon.cli.command.Show;
import io.tarpon.cli.command.Status;
import io.tarpon.cli.command.Up;
import io.tarpon.cli.command.Url;
import io.tarpon.cli.command.Verify;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.plan.Programs;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// The `tarpon` command. Exit codes: 0 done, 1 failed, 2 usage, 3 not running.
@Command(
        name = "tarpon",
        mixinStandardHelpOptions = true,
        scope = CommandLine.ScopeType.INHERIT,
        version = "tarpon " + Programs.VERSION,
        description = "A data plane for AI training: upload a folder, get an epoch as a URL.",
        footer = {"", "The launcher itself runs 'tarpon test' (the tests) and 'tarpon build' (the build)."},
        subcommands = {
            Demo.class,
            Up.class,
            Down.class,
            Restart.class,
            Link.class,
            Status.class,
            Logs.class,
            Ingest.class,
            Ls.class,
            Show.class,
            Report.class,
            Url.class,
            Cat.class,
            Verify.class,
            Retry.class,
            Cancel.class,
            Rm.class,
            Gc.class,
            Dlq.class,
            Epochs.class,
            MetadataLog.class,
            Chaos.class,
            Bench.class
        })
public final class Tarpon {
    private Tarpon() {}

    public static void main(String[] arguments) {
        // The AWS SDK logs by it, to nowhere here, and need not say so.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        System.exit(run(arguments));
    }

    static int run(String... arguments) {
        var colours = Console.hasColours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF;
        return new CommandLine(new Tarpon())
                .setColorScheme(CommandLine.Help.defaultColorScheme(colours))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExitCodeExceptionMapper(Tarpon::exitCode)
                .setParameterExceptionHandler((wrongUse, given) -> {
                    report(wrongUse);
                    return CommandFailure.USAGE;
                })
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    report(failure);
                    return exitCode(failure);
                })
                .execute(arguments);
    }

    private static int exitCode(Throwable failure) {
        return switch (failure) {
            case CommandFailure known -> known.exitCode();
            case CommandLine.ParameterException wrongUse -> CommandFailure.USAGE;
            default -> CommandFailure.FAILED;
        };
    }

    private static void report(Exception failure) {
        var console = Console.standard(false, false);
        switch (failure) {
            case CommandFailure known -> console.error(String.valueOf(known.getMessage()), known.next());
            case CommandLine.ParameterException wrongUse ->
                console.error(
                        String.valueOf(wrongUse.getMessage()),
                        "see: ./" + wrongUse.getCommandLine().getCommandSpec().qualifiedName() + " --help");
            default -> {
                var trace = new StringWriter();
                failure.printStackTrace(new PrintWriter(trace));
                console.error("unexpected: " + trace, "this is a fault of Tarpon; the trace above helps to mend it");
            }
        }
    }
}
