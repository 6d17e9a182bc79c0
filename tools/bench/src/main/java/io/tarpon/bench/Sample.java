package io.tarpon.bench;

/// What one run of one contender gave.
///
/// @param work done, in whatever the row counts: bytes, requests, objects
/// @param serverCpuSeconds of all server processes of the path, user and system
/// @param allCpuSeconds those, the client and the kernel's network threads together
public record Sample(double work, double seconds, double serverCpuSeconds, double allCpuSeconds) {
    public Sample {
        if (!(work > 0) || !(seconds > 0)) {
            throw new IllegalArgumentException("a run that did nothing: work " + work + " in " + seconds + " s");
        }
    }

    double rate() {
        return work / seconds;
    }

    double serverCpu() {
        return serverCpuSeconds / work;
    }

    double allCpu() {
        return allCpuSeconds / work;
    }
}
