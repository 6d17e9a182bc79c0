/// Owns the one file this service reads by itself: its write token.
@NullMarked
package io.tarpon.shard.disk;

import org.jspecify.annotations.NullMarked;
