package io.tarpon.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// What metadata-svc knows: its log, and snapshots of what that has come to.
@Command(
        name = "metadata",
        description = "What metadata-svc knows: write a snapshot, restore one, carry the log into Kafka or back.",
        subcommands = {MetadataSnapshot.class, MetadataRestore.class, MetadataMove.class})
public final class MetadataLog implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "metadata needs one of: snapshot, restore, move");
    }
}
