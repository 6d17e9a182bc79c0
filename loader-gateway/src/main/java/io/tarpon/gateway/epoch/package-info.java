/// Owns the serving of epochs: from a URL below `/e` to a tar, a manifest or a page of positions, which blocks an open
/// stream reads next, and which streams are open. Which sample comes where is arithmetic, and lies in `order`.
@NullMarked
package io.tarpon.gateway.epoch;

import org.jspecify.annotations.NullMarked;
