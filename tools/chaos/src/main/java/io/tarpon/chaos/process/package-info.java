/// What the broker's topics hold, asked of a program.
@NullMarked
package io.tarpon.chaos.process;

import org.jspecify.annotations.NullMarked;
