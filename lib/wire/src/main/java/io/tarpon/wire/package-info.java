/// Identifiers that every process agrees on.
@NullMarked
package io.tarpon.wire;

import org.jspecify.annotations.NullMarked;
