package io.tarpon.chaos;

import java.util.List;

/// What came of a [Trial].
public sealed interface TrialResult permits ChaosResult, MetadataTrialResult {
    /// What did not hold, in words; empty on a good day.
    List<String> wrong();

    default boolean isGood() {
        return wrong().isEmpty();
    }
}
