/// Owns the rules of a plan: which split an input belongs to, in which order samples stand, how many shards there are
/// and where they are cut.
@NullMarked
package io.tarpon.ingest.plan;

import org.jspecify.annotations.NullMarked;
