/// Reads of the byte routes that expect to be cut.
@NullMarked
package io.tarpon.chaos.client;

import org.jspecify.annotations.NullMarked;
