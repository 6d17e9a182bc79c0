package io.tarpon.wire.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/// The replicas of metadata-svc that a client knows: in which order they are asked, and how much of the log their
/// answers have shown. A replica that failed goes to the back, so that only the first call waits for a dead one; it is
/// asked again when those before it fail.
///
/// Threads: any. The order is replaced as a whole, so each call sees every replica once; whoever finds the same replica
/// silent moves it to where it is already. The revision only grows.
final class Replicas {
    private final AtomicReference<List<URI>> order;
    private final AtomicLong seen = new AtomicLong();

    /// @param urls in the order in which they are asked first; no two of one authority
    Replicas(List<URI> urls) {
        if (urls.isEmpty()) {
            throw new IllegalArgumentException("no metadata url is given");
        }
        var authorities = new HashSet<String>();
        for (var url : urls) {
            if (!url.isAbsolute()) {
                throw new IllegalArgumentException("metadata url '" + url + "' is not absolute");
            }
            if (url.getRawAuthority() == null) {
                throw new IllegalArgumentException("metadata url '" + url + "' names no host");
            }
            if (!authorities.add(url.getRawAuthority())) {
                throw new IllegalArgumentException("metadata url '" + url + "' is given twice");
            }
        }
        this.order = new AtomicReference<>(List.copyOf(urls));
    }

    boolean areSeveral() {
        return order.get().size() > 1;
    }

    /// Each once, the one to be asked first at the front.
    List<URI> inOrder() {
        return order.get();
    }

    /// It is asked last from here on.
    void failed(URI replica) {
        order.updateAndGet(before -> {
            var after = new ArrayList<URI>(before.size());
            var back = new ArrayList<URI>(1);
            for (var each : before) {
                (each.getRawAuthority().equals(replica.getRawAuthority()) ? back : after).add(each);
            }
            after.addAll(back);
            return List.copyOf(after);
        });
    }

    /// An answer had this much of the log, so later ones must have.
    void saw(long revision) {
        seen.accumulateAndGet(revision, Math::max);
    }

    /// The highest revision of an answer, 0 before the first.
    long seen() {
        return seen.get();
    }
}
