package io.tarpon.metadata.image;

import io.tarpon.wire.metadata.NodeRegistration;
import org.jspecify.annotations.Nullable;

/// One node that once joined. One that left stays as an entity, so that its guards go on counting.
final class Node {
    @Nullable
    NodeRegistration registration;

    long revision;
}
