/// What people and machines see: tables, sizes, progress, JSON.
@NullMarked
package io.tarpon.cluster.console;

import org.jspecify.annotations.NullMarked;
