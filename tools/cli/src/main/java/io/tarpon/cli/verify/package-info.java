/// A version held against its manifest, its plan and its source.
@NullMarked
package io.tarpon.cli.verify;

import org.jspecify.annotations.NullMarked;
