package io.tarpon.wire.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One request, for whichever replica is asked.
///
/// @param path with its query, both encoded
/// @param json its body; null where it has none
/// @param within from connecting to the last byte of the answer
/// @param isShared whether all replicas together have this time, and not each of them
/// @param held how long a replica may keep the answer back because it was asked to; it has that besides
record Call(String method, String path, byte @Nullable [] json, Duration within, boolean isShared, Duration held) {
    Call(String method, String path, byte @Nullable [] json, Duration within, boolean isShared) {
        this(method, path, json, within, isShared, Duration.ZERO);
    }

    static Call get(String path, Duration within) {
        return new Call("GET", path, null, within, true);
    }

    /// The same for something that is said again and again, and is too late when it is late: it waits less for a
    /// replica that stands still.
    Call shared() {
        return new Call(method, path, json, within, true, held);
    }

    boolean isRead() {
        return method.equals("GET");
    }

    /// @param query what the replica must heed besides, such as `revision=7`; empty for nothing
    HttpRequest.Builder to(URI replica, String query) {
        var joined = query.isEmpty() ? path : path + (path.contains("?") ? "&" : "?") + query;
        var request = HttpRequest.newBuilder(replica.resolve(joined));
        if (json == null) {
            return request.method(method, BodyPublishers.noBody());
        }
        return request.header("Content-Type", "application/json").method(method, BodyPublishers.ofByteArray(json));
    }

    /// How long one of so many replicas may take.
    Duration within(int replicas) {
        return (isShared ? within.dividedBy(replicas) : within).plus(held);
    }
}
