/// Inbound HTTP: byte routes, documents, problems.
@NullMarked
package io.tarpon.gateway.api;

import org.jspecify.annotations.NullMarked;
