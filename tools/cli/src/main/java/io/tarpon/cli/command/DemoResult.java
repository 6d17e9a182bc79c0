package io.tarpon.cli.command;

import io.tarpon.wire.gateway.InputsDocument;
import java.util.List;

/// `tarpon demo --json` (contracts section 6).
record DemoResult(
        String dataset,
        String version,
        String gateway,
        List<Split> splits,
        InputsDocument inputs,
        boolean verified,
        Seconds seconds) {
    record Split(String name, long samples, int shards, long bytes) {}

    record Seconds(double start, double ingest, double verify) {}
}
