/// Owns what is known of versions, shards, indexes and nodes, each in a bounded cache.
@NullMarked
package io.tarpon.gateway.catalog;

import org.jspecify.annotations.NullMarked;
