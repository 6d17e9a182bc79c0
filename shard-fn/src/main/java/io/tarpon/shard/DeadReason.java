package io.tarpon.shard;

import java.util.Locale;

/// Why a message went to the dead letters: always its own fault, or its inputs'. What is away is waited for. The names
/// stand in its header and in the metric's label.
public enum DeadReason {
    /// The record is not a planned shard's event.
    MALFORMED(false),
    /// The event names a plan at another place than its shard's.
    WRONG_PLAN_URL(false),
    /// metadata-svc planned no such shard, or with another plan.
    NOT_PLANNED(false),
    /// The plan in the store is missing, is not the one that was planned, or does not fit its shard.
    PLAN_DAMAGED(true),
    /// The plan's source is not configured here.
    UNKNOWN_SOURCE(true),
    /// An input is not, or no longer, the planned one.
    SOURCE_CHANGED(true),
    /// An input is there and may not be read, or its bytes are not its own, in a few attempts.
    SOURCE_UNREADABLE(true),
    /// The shard is sealed with other content.
    CONFLICT(false),
    /// metadata-svc does not take what the shard says of itself, whoever says it.
    REFUSED(true),
    /// A fault of this program.
    INTERNAL(true);

    private final boolean failsVersion;

    DeadReason(boolean failsVersion) {
        this.failsVersion = failsVersion;
    }

    /// Whether the version cannot be built because of it. A forged or stale message must not end a good version.
    public boolean failsVersion() {
        return failsVersion;
    }

    /// `source-changed`.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
