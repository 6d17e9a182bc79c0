/// Owns the data directories and the open files of blocks.
@NullMarked
package io.tarpon.block.disk;

import org.jspecify.annotations.NullMarked;
