/// Keeps an image in step with the log: decide, append, replay, answer.
@NullMarked
package io.tarpon.metadata.replica;

import org.jspecify.annotations.NullMarked;
