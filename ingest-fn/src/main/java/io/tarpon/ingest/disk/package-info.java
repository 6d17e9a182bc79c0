/// Owns the spool: bounded scratch space on a local disk, and the sort that takes more records than memory holds.
@NullMarked
package io.tarpon.ingest.disk;

import org.jspecify.annotations.NullMarked;
