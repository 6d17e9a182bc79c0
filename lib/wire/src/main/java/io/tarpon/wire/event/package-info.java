/// The CloudEvents that pass between processes.
@NullMarked
package io.tarpon.wire.event;

import org.jspecify.annotations.NullMarked;
