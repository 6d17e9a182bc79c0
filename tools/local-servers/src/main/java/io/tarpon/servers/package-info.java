/// How a local server is started and stopped: its arguments, its one ready line, its exit.
@NullMarked
package io.tarpon.servers;

import org.jspecify.annotations.NullMarked;
