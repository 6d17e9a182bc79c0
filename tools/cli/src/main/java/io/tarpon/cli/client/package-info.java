/// Outbound HTTP to the services of the cluster.
@NullMarked
package io.tarpon.cli.client;

import org.jspecify.annotations.NullMarked;
