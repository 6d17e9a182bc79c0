/// Which processes a local cluster has, with which settings.
@NullMarked
package io.tarpon.cluster.plan;

import org.jspecify.annotations.NullMarked;
