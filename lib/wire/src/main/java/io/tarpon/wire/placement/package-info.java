/// Owns the computed placement of blocks on nodes.
@NullMarked
package io.tarpon.wire.placement;

import org.jspecify.annotations.NullMarked;
