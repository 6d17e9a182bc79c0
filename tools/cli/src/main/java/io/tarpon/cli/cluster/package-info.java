/// The local cluster: which processes, with which settings, and how they come and go.
@NullMarked
package io.tarpon.cli.cluster;

import org.jspecify.annotations.NullMarked;
