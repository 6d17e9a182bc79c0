/// The local cluster: how its processes come and go, and requests followed to their end.
@NullMarked
package io.tarpon.cluster;

import org.jspecify.annotations.NullMarked;
