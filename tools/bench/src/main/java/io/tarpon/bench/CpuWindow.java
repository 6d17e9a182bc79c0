package io.tarpon.bench;

import io.tarpon.bench.disk.CpuTimes;
import io.tarpon.cluster.plan.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/// CPU time that the servers of a path, and this process as their client, spend between two moments.
final class CpuWindow {
    private final List<Long> servers;
    private double serversAtStart;
    private double clientAtStart;

    CpuWindow(List<Member> servers) {
        this.servers = servers.stream().map(Member::pid).toList();
    }

    void begin() {
        try {
            serversAtStart = CpuTimes.ofServers(servers);
            clientAtStart = CpuTimes.ofClient();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read CPU times, which needs Linux's /proc", e);
        }
    }

    Sample end(double work, double seconds) throws IOException {
        var server = CpuTimes.ofServers(servers) - serversAtStart;
        return new Sample(work, seconds, server, server + CpuTimes.ofClient() - clientAtStart);
    }
}
