/// Block files of this host, opened, verified and sent without a copy; and the gateway's own folder.
@NullMarked
package io.tarpon.gateway.disk;

import org.jspecify.annotations.NullMarked;
