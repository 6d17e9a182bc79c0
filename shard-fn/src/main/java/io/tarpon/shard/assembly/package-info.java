/// Owns the assembly of one shard: members read ahead from many connections, the tar as a stream in plan order, and its
/// index in the same pass.
@NullMarked
package io.tarpon.shard.assembly;

import org.jspecify.annotations.NullMarked;
