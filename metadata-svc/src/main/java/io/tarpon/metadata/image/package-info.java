/// The state that replaying the log gives, and what is decided on it. Pure: no clock, no randomness, no I/O but that of
/// the store
/// that an image is given.
@NullMarked
package io.tarpon.metadata.image;

import org.jspecify.annotations.NullMarked;
