/// One JSON mapping for everything on the wire.
@NullMarked
package io.tarpon.wire.json;

import org.jspecify.annotations.NullMarked;
