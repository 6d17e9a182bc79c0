package io.tarpon.wire.metadata;

import io.tarpon.wire.Digests;
import java.util.HashSet;
import java.util.List;

/// Freezes the plan of a version.
///
/// @param planDigest over all plan files; equal to the latest sealed version's gives that version back, unless `force`
public record PlanVersion(String planDigest, boolean force, Inputs inputs, List<PlannedSplit> splits) {
    public PlanVersion {
        Digests.requireSha256("planDigest", planDigest);
        splits = List.copyOf(splits);
        var names = new HashSet<>();
        for (var split : splits) {
            if (!names.add(split.name())) {
                throw new IllegalArgumentException("split " + split.name() + " is planned twice");
            }
        }
    }
}
