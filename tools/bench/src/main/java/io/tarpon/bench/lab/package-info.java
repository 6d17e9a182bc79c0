/// What a benchmark measures against: clusters in a throw-away state folder, and reference servers beside them.
@NullMarked
package io.tarpon.bench.lab;

import org.jspecify.annotations.NullMarked;
