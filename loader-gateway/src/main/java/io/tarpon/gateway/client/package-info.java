/// Outbound HTTP to block services, on the event loop of the response that asks.
@NullMarked
package io.tarpon.gateway.client;

import org.jspecify.annotations.NullMarked;
