/// Owns traces: which context of a trace is believed, and the steps that a service adds.
@NullMarked
package io.tarpon.wire.trace;

import org.jspecify.annotations.NullMarked;
