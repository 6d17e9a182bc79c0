package io.tarpon.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Dead letters: messages that a function gave up on.
@Command(
        name = "dlq",
        description = "Messages that a function gave up on: list them, look at one, put them back.",
        subcommands = {DlqLs.class, DlqShow.class, DlqRetry.class})
public final class Dlq implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "dlq needs one of: ls, show, retry");
    }
}
