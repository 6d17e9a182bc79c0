/// What people and machines see: tables, sizes, progress, JSON.
@NullMarked
package io.tarpon.cli.console;

import org.jspecify.annotations.NullMarked;
