package io.tarpon.cli.command;

import io.tarpon.cli.Context;
import io.tarpon.cli.console.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        return run(Context.open(new Console(out, err, json, quiet)));
    }

    /// Does the work; returns the exit code.
    abstract int run(Context context);
}
