/// Owns what a response body is made of: segments of shards and literals, and how they are cut at blocks. Pure.
@NullMarked
package io.tarpon.gateway.body;

import org.jspecify.annotations.NullMarked;
