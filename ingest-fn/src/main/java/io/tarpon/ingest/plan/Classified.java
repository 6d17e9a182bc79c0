package io.tarpon.ingest.plan;

import io.tarpon.wire.key.LeftOutReason;

/// What becomes of one object of a listing, as far as it can be said without looking at the others.
public sealed interface Classified {
    /// @param split number of the split in [SplitLayout#splits]
    /// @param extension as found; `finalExtension` as it stands in the tar
    record Member(int split, String sampleKey, String extension, String finalExtension) implements Classified {}

    record LeftOut(LeftOutReason reason) implements Classified {}
}
