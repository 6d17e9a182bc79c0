/// What the metadata log holds, byte for byte, and the port to it.
@NullMarked
package io.tarpon.metadata.entry;

import org.jspecify.annotations.NullMarked;
