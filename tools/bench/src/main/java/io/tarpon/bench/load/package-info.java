/// The benchmark's own client: plain HTTP/1.1 on blocking sockets, every answer's length checked.
@NullMarked
package io.tarpon.bench.load;

import org.jspecify.annotations.NullMarked;
