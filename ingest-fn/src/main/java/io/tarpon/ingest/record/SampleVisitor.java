package io.tarpon.ingest.record;

import java.io.IOException;

/// Takes samples in order of split and sample key.
@FunctionalInterface
public interface SampleVisitor {
    /// @param written the sample as a record, good until this returns
    void visit(SampleRecord sample, RecordBytes written) throws IOException;
}
