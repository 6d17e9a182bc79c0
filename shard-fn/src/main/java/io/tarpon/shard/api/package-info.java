/// Owns what every HTTP request to this service passes first. There are no routes but health and metrics.
@NullMarked
package io.tarpon.shard.api;

import org.jspecify.annotations.NullMarked;
