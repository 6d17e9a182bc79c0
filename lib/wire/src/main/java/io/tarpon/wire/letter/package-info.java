/// Owns how dead letters are shown: messages that a function gave up on, with their original bytes.
@NullMarked
package io.tarpon.wire.letter;

import org.jspecify.annotations.NullMarked;
