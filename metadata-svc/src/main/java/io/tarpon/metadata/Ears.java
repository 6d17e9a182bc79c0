package io.tarpon.metadata;

import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.metadata.node.Agreement;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.Replicas;
import io.tarpon.metadata.node.Sign;
import io.tarpon.metadata.stream.PresenceTopic;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.Heartbeat;
import java.util.List;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/// What this replica hears of other replicas, and of nodes and gateways that spoke to any of them.
final class Ears implements PresenceTopic.Hearer {
    private static final Logger LOG = Logger.getLogger(Ears.class);

    private final HeardTime time;
    private final Liveness liveness;
    private final OpenReads openReads;
    private final Replicas replicas;
    private final Agreement agreement;

    Ears(HeardTime time, Liveness liveness, OpenReads openReads, Replicas replicas, Agreement agreement) {
        this.time = time;
        this.liveness = liveness;
        this.openReads = openReads;
        this.replicas = replicas;
        this.agreement = agreement;
    }

    @Override
    public void hear(Sign sign) {
        var now = time.getAsLong();
        switch (sign) {
            case Sign.Joined(var node) -> liveness.joined(node, now);
            case Sign.Beat(var node, var blocks, var bytes) -> liveness.beat(node, new Heartbeat(blocks, bytes), now);
            case Sign.Reading(var reader, var versions) -> report(reader, versions, now);
            case Sign.Listening(var replica, var level, var windows) -> {
                replicas.listening(replica, level, now);
                agreement.heard(replica, windows, now);
            }
        }
    }

    private void report(String reader, List<String> versions, long now) {
        try {
            openReads.report(reader, versions.stream().map(VersionName::parse).collect(Collectors.toSet()), now);
        } catch (TarponException | IllegalArgumentException e) {
            openReads.missed(now);
            LOG.warnf("open reads not taken reader=%s reason=%s", reader, e.getMessage());
        }
    }

    @Override
    public void notUnderstood() {
        replicas.notUnderstood(time.getAsLong());
    }

    @Override
    public void echo() {
        if (time.heard()) {
            openReads.missed(time.getAsLong());
        }
    }

    @Override
    public boolean isListening() {
        return time.isListening();
    }
}
