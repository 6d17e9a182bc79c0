/// Owns the strict, reproducible ustar form of a shard: headers, padding, end blocks and a reader that refuses anything
/// else.
@NullMarked
package io.tarpon.wire.tar;

import org.jspecify.annotations.NullMarked;
