/// Owns what the node answers over HTTP.
@NullMarked
package io.tarpon.block.api;

import org.jspecify.annotations.NullMarked;
