/// The public documents of the gateway.
@NullMarked
package io.tarpon.wire.gateway;

import org.jspecify.annotations.NullMarked;
