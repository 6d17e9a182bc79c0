/// One class per command.
@NullMarked
package io.tarpon.cli.command;

import org.jspecify.annotations.NullMarked;
