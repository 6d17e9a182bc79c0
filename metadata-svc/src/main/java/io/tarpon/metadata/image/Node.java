package io.tarpon.metadata.image;

import io.tarpon.wire.metadata.NodeRegistration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One node that once joined. One that left stays as an entity, so that its guards go on counting, until it is
/// forgotten.
final class Node {
    @Nullable
    NodeRegistration registration;

    /// Which process it is; null where it did not tell, and where it left.
    @Nullable
    String incarnation;

    /// When it left; null while it is joined.
    @Nullable
    Instant leftAt;

    long revision;

    /// Of a node that did not tell its incarnation, every process is it.
    boolean isOf(@Nullable String said) {
        return incarnation == null || incarnation.equals(said);
    }

    boolean isForgettable(Instant leftUpTo) {
        return leftAt != null && !leftAt.isAfter(leftUpTo);
    }
}
