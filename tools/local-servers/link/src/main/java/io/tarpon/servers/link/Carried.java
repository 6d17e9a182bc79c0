package io.tarpon.servers.link;

import java.util.concurrent.atomic.LongAdder;

/// Bytes that came out of the link since it started, all connections together; counted by their writers.
record Carried(LongAdder toTarget, LongAdder toClient) {
    Carried() {
        this(new LongAdder(), new LongAdder());
    }

    @Override
    public String toString() {
        return "carried to-target=" + toTarget + " to-client=" + toClient;
    }
}
