/// Owns snapshots of an image: their bytes, and where they lie in the object store.
@NullMarked
package io.tarpon.metadata.snapshot;

import org.jspecify.annotations.NullMarked;
