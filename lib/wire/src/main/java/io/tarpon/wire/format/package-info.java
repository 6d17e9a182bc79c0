/// Owns what is said when stored bytes are of an unknown format or damaged.
@NullMarked
package io.tarpon.wire.format;

import org.jspecify.annotations.NullMarked;
