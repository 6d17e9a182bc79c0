/// Owns how a block comes from another node.
@NullMarked
package io.tarpon.block.client;

import org.jspecify.annotations.NullMarked;
