package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/// What every command has in common: `--json`, `--quiet`, and an exit code.
abstract class TarponCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print one JSON document on standard output, and nothing else there.")
    private boolean json;

    @Option(names = "--quiet", description = "Print errors only, and the result.")
    private boolean quiet;

    @Override
    public final Integer call() {
        var console = Console.standard(json, quiet);
        var exitCode = run(Context.open(console));
        // A reader that has gone has had what it wanted; that not all was written is said by the exit code.
        return console.wasTaken() ? exitCode : Integer.valueOf(Math.max(exitCode, CommandFailure.FAILED));
    }

    /// Does the work; returns the exit code.
    abstract int run(Context context);
}
