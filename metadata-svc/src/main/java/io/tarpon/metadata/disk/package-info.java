/// The state folder and the token file.
@NullMarked
package io.tarpon.metadata.disk;

import org.jspecify.annotations.NullMarked;
