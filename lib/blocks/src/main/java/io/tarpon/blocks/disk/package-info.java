/// Owns block files on local disks: opening, first-touch verification, and durable filling.
@NullMarked
package io.tarpon.blocks.disk;

import org.jspecify.annotations.NullMarked;
