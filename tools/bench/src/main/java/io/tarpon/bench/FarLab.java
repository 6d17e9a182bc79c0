package io.tarpon.bench;

import io.tarpon.bench.lab.Lab;
import io.tarpon.bench.lab.Link;
import io.tarpon.bench.lab.MemberSettings;
import io.tarpon.cluster.ClusterStorage;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Roster;
import java.io.IOException;
import java.util.Map;

/// A cluster on an object store that is far away: 30 ms before each answer and 90 MB/s a connection. Block services and
/// gateways reach it over that link, the functions directly.
final class FarLab implements AutoCloseable {
    private static final int LATENCY_MS = 30;
    private static final long BYTES_PER_SECOND = 90_000_000;

    private final Lab lab;
    private final Link link;
    private final Member gateway;

    private FarLab(Lab lab) throws IOException {
        this.lab = lab;
        var plan = lab.plan(true);
        var s3 = lab.start(plan.member(ClusterPlan.S3));
        this.link = Link.open(lab, s3, LATENCY_MS, BYTES_PER_SECOND);
        var started = lab.start(plan.members().stream()
                .filter(member -> !member.name().equals(ClusterPlan.S3))
                .map(member -> overLink(member, link))
                .toList());
        lab.context().cluster().awaitNodes(lab.roster());
        this.gateway = new Roster(started).member(ClusterPlan.GATEWAY);
    }

    /// @param home folder of its state
    static FarLab open(Bench bench, String home) throws IOException {
        var lab = Lab.open(bench.console(), bench.work().folder(home).resolve("state"), bench.product());
        try {
            return new FarLab(lab);
        } catch (IOException | RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    private static Member overLink(Member member, Link link) {
        var reads = member.name().startsWith("block-svc") || member.name().equals(ClusterPlan.GATEWAY);
        return reads ? MemberSettings.with(member, Map.of("tarpon.store.s3.endpoint", link.url())) : member;
    }

    /// The roster as one sees it who reaches the S3 server over the link.
    static Roster atLink(Roster roster, Link link) {
        var s3 = roster.member(ClusterPlan.S3);
        return roster.with(Member.of(s3.name(), link.url(), s3.command(), s3.environment()));
    }

    /// The object store, over the link.
    ClusterStorage storage() throws IOException {
        return ClusterStorage.open(lab.context().state(), atLink(lab.roster(), link));
    }

    Lab lab() {
        return lab;
    }

    Member gateway() {
        return gateway;
    }

    /// One more gateway, started with these settings.
    Member gatewayWith(String name, Map<String, String> settings) {
        return lab.start(MemberSettings.with(MemberSettings.twin(gateway, name, lab.freePort()), settings));
    }

    /// Bytes that came over the link so far.
    long carried() throws IOException {
        return link.carried();
    }

    @Override
    public void close() {
        lab.close();
    }
}
