/// Owns what the body of a batch says: which samples, in which order, and what becomes of those that are
/// missing. Pure.
@NullMarked
package io.tarpon.gateway.batch;

import org.jspecify.annotations.NullMarked;
