/// Owns the blocks of one node: serves them, fills them when they are missing, and keeps their disks within bounds.
@NullMarked
package io.tarpon.block;

import org.jspecify.annotations.NullMarked;
