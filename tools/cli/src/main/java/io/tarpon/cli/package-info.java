/// The tarpon command: a local cluster, and datasets in it.
@NullMarked
package io.tarpon.cli;

import org.jspecify.annotations.NullMarked;
