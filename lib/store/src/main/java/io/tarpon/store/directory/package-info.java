/// Both ports on a local folder: names verbatim when reading raw data, escaped and written durably when keeping ours.
@NullMarked
package io.tarpon.store.directory;

import org.jspecify.annotations.NullMarked;
