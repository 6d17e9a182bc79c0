/// Files of a benchmark, and what the operating system tells of the machine and its processes.
@NullMarked
package io.tarpon.bench.disk;

import org.jspecify.annotations.NullMarked;
