/// Outbound HTTP to block services.
@NullMarked
package io.tarpon.metadata.client;

import org.jspecify.annotations.NullMarked;
