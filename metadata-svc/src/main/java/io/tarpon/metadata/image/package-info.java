/// The state that replaying the log gives, and what is decided on it. Pure: no clock, no randomness, no I/O.
@NullMarked
package io.tarpon.metadata.image;

import org.jspecify.annotations.NullMarked;
