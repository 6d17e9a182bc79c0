package io.tarpon.cli.command;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.Context;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Writes a sample or a member to standard output.
@Command(name = "cat", description = "Write a sample (as a tar) or one member's bytes to standard output.")
public final class Cat extends TarponCommand {
    @Parameters(index = "0", paramLabel = "DATASET[@v]", description = "The latest sealed version unless one is named.")
    private String ref = "";

    @Parameters(index = "1", paramLabel = "SPLIT", description = "A split of the version.")
    private String split = "";

    @Parameters(index = "2", paramLabel = "KEY|ORDINAL[.ext]", description = "A sample; with an extension one member.")
    private String selector = "";

    @Override
    int run(Context context) {
        var wanted = DatasetRef.parse(ref);
        var gateway = context.gateway();
        var version = gateway.version(wanted.dataset().value(), wanted.version());
        try (var bytes = gateway.sample(version.dataset(), version.version(), split, selector)) {
            bytes.transferTo(context.console().out());
            context.console().out().flush();
            return 0;
        } catch (IOException e) {
            throw CommandFailure.failed("the answer broke off: " + e.getMessage(), "try again");
        }
    }
}
