/// Inbound HTTP: the control API of contracts, its problems, its token.
@NullMarked
package io.tarpon.metadata.api;

import org.jspecify.annotations.NullMarked;
