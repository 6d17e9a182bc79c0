package io.tarpon.metadata.job;

import java.util.List;

/// A job as a process, to be killed.
final class JobProcess {
    private JobProcess() {}

    public static void main(String[] arguments) {
        System.exit(new Job(System.out, System.err).run(List.of(arguments)));
    }
}
