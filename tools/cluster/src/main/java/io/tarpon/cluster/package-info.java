/// A local cluster as processes of this machine.
@NullMarked
package io.tarpon.cluster;

import org.jspecify.annotations.NullMarked;
