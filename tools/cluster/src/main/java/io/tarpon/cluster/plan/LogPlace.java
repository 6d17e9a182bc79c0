package io.tarpon.cluster.plan;

import java.util.Locale;

/// Where a local cluster keeps its metadata log: on the disk of its only metadata-svc, or in a topic of its broker,
/// which any number of them share.
public enum LogPlace {
    LOCAL,
    KAFKA;

    /// As people write it: `kafka`.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
