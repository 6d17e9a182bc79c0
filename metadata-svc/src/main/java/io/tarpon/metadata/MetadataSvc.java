package io.tarpon.metadata;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.tarpon.metadata.job.Job;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The program: the service, or, where it is given arguments, a job on its log, which neither listens nor wires
/// anything.
@QuarkusMain
public final class MetadataSvc {
    private MetadataSvc() {}

    public static void main(String... arguments) {
        if (arguments.length == 0) {
            Quarkus.run(arguments);
        } else {
            System.exit(new Job(stream(FileDescriptor.out), stream(FileDescriptor.err)).run(List.of(arguments)));
        }
    }

    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
