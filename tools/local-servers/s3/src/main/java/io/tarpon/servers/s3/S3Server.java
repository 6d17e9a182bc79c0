package io.tarpon.servers.s3;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.Launch;
import io.tarpon.servers.LocalServer;
import io.tarpon.servers.Ports;
import io.tarpon.servers.StartException;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Files;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/// S3 over a folder: path style, signature V4 checked when there are keys. Objects outlive a restart on the same
/// folder.
///
/// Owned by the thread that started it; closed once, by the shutdown hook.
public final class S3Server implements LocalServer {
    private final S3Proxy proxy;
    private final BlobStore blobs;

    private S3Server(S3Proxy proxy, BlobStore blobs) {
        this.proxy = proxy;
        this.blobs = blobs;
    }

    public static void main(String[] args) {
        Launch.run("s3", S3Settings.ARGUMENTS, (arguments, out) -> start(arguments), args);
    }

    private static S3Server start(Arguments arguments) throws Exception {
        S3Settings settings = S3Settings.from(arguments, System.getenv());
        try {
            Files.createDirectories(settings.dataDir());
        } catch (IOException e) {
            throw new StartException("--data-dir " + settings.dataDir() + " cannot be created: " + e, e);
        }
        BlobStore blobs = new FilesystemNio2BlobStore(settings.dataDir().toString());
        for (String bucket : settings.buckets()) {
            if (!blobs.containerExists(bucket)) {
                blobs.createContainer(bucket);
            }
        }
        return new S3Server(listen(settings, blobs), blobs);
    }

    private static S3Proxy listen(S3Settings settings, BlobStore blobs) throws Exception {
        S3Proxy.Builder builder = S3Proxy.builder()
                .blobStore(blobs)
                .endpoint(new URI("http", null, settings.bind(), settings.port(), null, null, null))
                // The asynchronous SDK sends headers this server does not know; it would answer 501.
                .ignoreUnknownHeaders(true);
        settings.login()
                .ifPresentOrElse(
                        login -> builder.awsAuthentication(
                                AuthenticationType.AWS_V2_OR_V4, login.accessKey(), login.secretKey()),
                        () -> builder.awsAuthentication(AuthenticationType.NONE, "", ""));
        S3Proxy proxy = builder.build();
        try {
            proxy.start();
        } catch (IOException e) {
            throw e.getCause() instanceof BindException cause
                    ? Ports.taken(settings.bind(), settings.port(), cause)
                    : e;
        }
        return proxy;
    }

    @Override
    public int port() {
        return proxy.getPort();
    }

    @Override
    public void close() throws Exception {
        proxy.stop();
        blobs.close();
    }
}
