package io.tarpon.metadata;

import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.node.Sign;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.ReaderReport;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/// The use cases of gateways that have reads open, so that nothing is deleted under them.
public final class Readers {
    private final OpenReads openReads;
    private final LongSupplier nanoTime;
    private final Presence presence;

    Readers(OpenReads openReads, LongSupplier nanoTime, Presence presence) {
        this.openReads = openReads;
        this.nanoTime = nanoTime;
        this.presence = presence;
    }

    /// Counts until it lapses or the same reader reports again; at every replica, so `not-ready` where the others
    /// would not hear of it.
    public void report(String reader, ReaderReport report) {
        var versions = new HashSet<VersionName>();
        for (var version : report.versions()) {
            versions.add(parse(version));
        }
        if (!presence.isListening()) {
            throw new TarponException(
                    ProblemType.NOT_READY, "the other replicas cannot be told what is being read: send it again");
        }
        openReads.report(JoinNode.requireId(reader), versions, nanoTime.getAsLong());
        presence.tell(new Sign.Reading(reader, report.versions()));
    }

    /// Versions with open reads; empty where that is not known yet.
    Optional<Set<VersionName>> open() {
        var now = nanoTime.getAsLong();
        return presence.isListening() && openReads.isKnown(now) ? Optional.of(openReads.open(now)) : Optional.empty();
    }

    private static VersionName parse(String version) {
        try {
            return VersionName.parse(version);
        } catch (IllegalArgumentException e) {
            throw TarponException.badParameter("versions: " + e.getMessage());
        }
    }
}
