/// Figures beside a reference in the same run.
@NullMarked
package io.tarpon.bench;

import org.jspecify.annotations.NullMarked;
