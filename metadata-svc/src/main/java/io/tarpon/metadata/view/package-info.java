/// The image on disk: a RocksDB that follows the log, and can be made anew from it.
@NullMarked
package io.tarpon.metadata.view;

import org.jspecify.annotations.NullMarked;
