/// The metadata log of one machine, in RocksDB.
@NullMarked
package io.tarpon.metadata.log;

import org.jspecify.annotations.NullMarked;
