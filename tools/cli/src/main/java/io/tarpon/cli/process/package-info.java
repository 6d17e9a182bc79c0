/// Operating-system processes.
@NullMarked
package io.tarpon.cli.process;

import org.jspecify.annotations.NullMarked;
