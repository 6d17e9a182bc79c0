/// Owns the Kafka edge: planned shards in from `tarpon.plans`, what cannot be built out to `tarpon.plans.dlq`.
@NullMarked
package io.tarpon.shard.stream;

import org.jspecify.annotations.NullMarked;
