/// A real single-node Kafka broker in its own process.
@NullMarked
package io.tarpon.servers.kafka;

import org.jspecify.annotations.NullMarked;
