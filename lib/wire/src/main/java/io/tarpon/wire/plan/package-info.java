/// Owns the plan file of one shard: its frozen inputs in member order.
@NullMarked
package io.tarpon.wire.plan;

import org.jspecify.annotations.NullMarked;
