/// Both ports on an S3 bucket, through the plain AWS SDK.
@NullMarked
package io.tarpon.store.s3;

import org.jspecify.annotations.NullMarked;
