/// A real S3 server over a folder, in its own process.
@NullMarked
package io.tarpon.servers.s3;

import org.jspecify.annotations.NullMarked;
