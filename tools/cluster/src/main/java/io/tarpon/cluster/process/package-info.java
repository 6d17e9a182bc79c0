/// Operating-system processes.
@NullMarked
package io.tarpon.cluster.process;

import org.jspecify.annotations.NullMarked;
