package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.MetadataLog;

class SimulatedLogTest extends MetadataLogContract {
    private final SimulatedLog log = new SimulatedLog(1).calm();

    @Override
    MetadataLog open() {
        return log.appender();
    }
}
