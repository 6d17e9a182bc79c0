/// Owns growth: what a version keeps of the one it grows from, what it builds again, and what is new.
@NullMarked
package io.tarpon.ingest.growth;

import org.jspecify.annotations.NullMarked;
