/// Outbound HTTP to metadata-svc.
@NullMarked
package io.tarpon.wire.client;

import org.jspecify.annotations.NullMarked;
