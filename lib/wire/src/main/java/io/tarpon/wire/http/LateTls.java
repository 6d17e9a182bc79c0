package io.tarpon.wire.http;

import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// The JDK's default TLS, prepared with the first connection that needs it. [java.net.http.HttpClient] prepares it
/// with each client, trust store and cipher suites and all: a third of what a command took whose peers speak plain
/// HTTP. Safe for several threads.
public final class LateTls extends SSLContextSpi {
    private LateTls() {}

    /// For [java.net.http.HttpClient.Builder#sslContext]. Connections are those of [SSLContext#getDefault].
    public static SSLContext context() {
        return new Context();
    }

    private static final class Context extends SSLContext {
        Context() {
            super(new LateTls(), null, "TLS");
        }
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return standard().createSSLEngine();
    }

    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return standard().createSSLEngine(host, port);
    }

    /// None set: a connection keeps its engine's.
    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
        return new SSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
        return standard().getSupportedSSLParameters();
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        return standard().getSocketFactory();
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        return standard().getServerSocketFactory();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return standard().getServerSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return standard().getClientSessionContext();
    }

    @Override
    protected void engineInit(
            KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random)
            throws KeyManagementException {
        throw new KeyManagementException("initialized as the default is");
    }

    private static SSLContext standard() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("TLS cannot be prepared: " + e.getMessage(), e);
        }
    }
}
