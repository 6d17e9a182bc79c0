/// Owns the compact binary form of what planning spools: every record sorts, by its unsigned bytes, into the order
/// its step needs.
@NullMarked
package io.tarpon.ingest.record;

import org.jspecify.annotations.NullMarked;
