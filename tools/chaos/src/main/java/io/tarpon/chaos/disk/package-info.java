/// The folder that changes while it is ingested, and what each shard must hold.
@NullMarked
package io.tarpon.chaos.disk;

import org.jspecify.annotations.NullMarked;
