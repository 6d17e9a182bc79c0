package io.tarpon.servers;

/// A server that listens. Closing it leaves its data whole and its port free.
public interface LocalServer extends AutoCloseable {
    int port();
}
