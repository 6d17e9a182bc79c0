/// Owns the identity of a block and the header and name of the file that holds it.
@NullMarked
package io.tarpon.wire.block;

import org.jspecify.annotations.NullMarked;
