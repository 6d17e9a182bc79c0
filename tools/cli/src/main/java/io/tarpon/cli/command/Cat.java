package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Writes a sample or a member to standard output.
@Command(name = "cat", description = "Write a sample (as a tar) or one member's bytes to standard output.")
public final class Cat extends TarponCommand {
    private static final int BUFFER_BYTES = 1 << 16;

    @Parameters(index = "0", paramLabel = "DATASET[@v]", description = "The latest sealed version unless one is named.")
    private String ref = "";

    @Parameters(index = "1", paramLabel = "SPLIT", description = "A split of the version.")
    private String split = "";

    @Parameters(index = "2", paramLabel = "KEY|ORDINAL[.ext]", description = "A sample; with an extension one member.")
    private String selector = "";

    @Override
    int run(Context context) {
        if (context.console().json()) {
            throw CommandFailure.usage("cat writes bytes and has no --json", "leave --json away");
        }
        var wanted = DatasetRef.parse(ref);
        var gateway = context.gateway();
        var version = gateway.version(wanted.dataset().value(), wanted.version());
        Splits.require(version, split);
        try (var bytes = gateway.sample(version.dataset(), version.version(), split, selector)) {
            return copy(bytes, new FileOutputStream(FileDescriptor.out));
        } catch (IOException e) {
            throw CommandFailure.failed("the answer broke off: " + e.getMessage(), "try again");
        }
    }

    /// Stops where nobody takes the bytes any more. A closed pipe is silent, as for `cat`; a full disk is not.
    static int copy(InputStream from, OutputStream to) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            try {
                to.write(buffer, 0, read);
            } catch (IOException e) {
                if (String.valueOf(e.getMessage()).contains("Broken pipe")) {
                    return CommandFailure.FAILED;
                }
                throw CommandFailure.failed("cannot write standard output: " + e.getMessage(), "check where it goes");
            }
        }
        return 0;
    }
}
