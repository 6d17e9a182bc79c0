/// The metadata log: of one machine in RocksDB, of many in Kafka.
@NullMarked
package io.tarpon.metadata.log;

import org.jspecify.annotations.NullMarked;
