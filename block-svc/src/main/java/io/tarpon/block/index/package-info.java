/// Owns the node's index of its blocks, in RocksDB; it can always be made again from the block files.
@NullMarked
package io.tarpon.block.index;

import org.jspecify.annotations.NullMarked;
