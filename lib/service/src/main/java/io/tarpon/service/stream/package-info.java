/// Owns how a function sends to a topic and waits for it, which partitions of one it holds, and dead letters: what it
/// gave up on, as it came, with the reason in headers.
@NullMarked
package io.tarpon.service.stream;

import org.jspecify.annotations.NullMarked;
