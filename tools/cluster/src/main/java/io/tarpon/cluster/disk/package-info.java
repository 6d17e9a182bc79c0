/// The state folder, and what files and `/proc` say of processes.
@NullMarked
package io.tarpon.cluster.disk;

import org.jspecify.annotations.NullMarked;
