/// Owns the columnar index of one shard, its canonical bytes, and the views derived from it.
@NullMarked
package io.tarpon.wire.index;

import org.jspecify.annotations.NullMarked;
