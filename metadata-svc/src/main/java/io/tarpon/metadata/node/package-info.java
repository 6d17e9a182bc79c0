/// Whether nodes live: soft state beside the log, told by heartbeats.
@NullMarked
package io.tarpon.metadata.node;

import org.jspecify.annotations.NullMarked;
