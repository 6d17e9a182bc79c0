/// From an upload event to a frozen plan and one message per shard.
@NullMarked
package io.tarpon.ingest;

import org.jspecify.annotations.NullMarked;
