/// A block's file and those who read it.
@NullMarked
package io.tarpon.blocks;

import org.jspecify.annotations.NullMarked;
