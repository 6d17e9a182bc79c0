/// Owns the URLs of bytes: raw path and query to what is asked for. Pure.
@NullMarked
package io.tarpon.gateway.target;

import org.jspecify.annotations.NullMarked;
