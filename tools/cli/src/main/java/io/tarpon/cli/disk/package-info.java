/// Files of the state folder, and the pictures of the demo.
@NullMarked
package io.tarpon.cli.disk;

import org.jspecify.annotations.NullMarked;
