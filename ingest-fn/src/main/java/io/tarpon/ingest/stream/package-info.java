/// Owns ingest-fn's Kafka face: uploads in, plans and dead letters out.
@NullMarked
package io.tarpon.ingest.stream;

import org.jspecify.annotations.NullMarked;
