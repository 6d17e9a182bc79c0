/// Owns the read path of one response: a window of pieces, failover between sources, hold-back, the in-order writer.
@NullMarked
package io.tarpon.gateway.flow;

import org.jspecify.annotations.NullMarked;
