package io.tarpon.ingest;

import io.micrometer.core.instrument.MeterRegistry;
import io.tarpon.ingest.notice.Dialect;

/// `tarpon_ingest_notices_total{dialect,outcome}`: every record of every notification, and every marker that a round
/// found. Safe for several threads.
public final class NoticeCounts {
    private static final String NAME = "tarpon.ingest.notices";
    private static final String ROUND = "round";
    private static final String UNKNOWN = "unknown";

    private final MeterRegistry meters;

    NoticeCounts(MeterRegistry meters) {
        this.meters = meters;
        for (var outcome : NoticeOutcome.values()) {
            for (var dialect : Dialect.values()) {
                count(dialect.wireName(), outcome, 0);
            }
            count(ROUND, outcome, 0);
            count(UNKNOWN, outcome, 0);
        }
    }

    void count(Dialect dialect, NoticeOutcome outcome) {
        count(dialect.wireName(), outcome, 1);
    }

    /// What has no dialect, or does not say which.
    void countUnknown(NoticeOutcome outcome, int notices) {
        count(UNKNOWN, outcome, notices);
    }

    void countRound(NoticeOutcome outcome) {
        count(ROUND, outcome, 1);
    }

    private void count(String dialect, NoticeOutcome outcome, int notices) {
        meters.counter(NAME, "dialect", dialect, "outcome", outcome.wireName()).increment(notices);
    }
}
