/// Outbound HTTP to the services of the cluster.
@NullMarked
package io.tarpon.cluster.client;

import org.jspecify.annotations.NullMarked;
