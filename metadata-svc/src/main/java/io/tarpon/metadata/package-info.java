/// Datasets, versions, shards and nodes: a state machine over a log.
@NullMarked
package io.tarpon.metadata;

import org.jspecify.annotations.NullMarked;
