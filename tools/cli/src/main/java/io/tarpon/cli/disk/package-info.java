/// The pictures of the demo, folders for one use, and folders as sources.
@NullMarked
package io.tarpon.cli.disk;

import org.jspecify.annotations.NullMarked;
