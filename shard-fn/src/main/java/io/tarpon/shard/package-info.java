/// From one message to one sealed tar shard with its index.
@NullMarked
package io.tarpon.shard;

import org.jspecify.annotations.NullMarked;
