/// Owns the URLs of bytes: raw path to target. Pure.
@NullMarked
package io.tarpon.gateway.target;

import org.jspecify.annotations.NullMarked;
