/// Blocks on local disks: fill, serve, verify.
@NullMarked
package io.tarpon.block;

import org.jspecify.annotations.NullMarked;
