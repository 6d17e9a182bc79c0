package io.tarpon.service.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.http.TokenSource;
import io.tarpon.wire.http.WriteToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// The write token in its file, which may be replaced at any time: a new one holds within a second, and the old one no
/// longer. While the file cannot be used, the token read last stays, so that a file replaced in two steps, or a mount
/// that is away, refuses nobody.
///
/// Threads: one of its own reads the file, once a second, so that requests on event loops wait for no disk;
/// [#reread] reads it on the caller's. Both only replace what is held, so whoever reads later holds what is newer,
/// up to one look.
public final class TokenFile implements TokenSource, AutoCloseable {
    /// A file of some bytes: the time in which a token that was withdrawn still holds, for next to no work.
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private static final Logger LOG = Logger.getLogger(TokenFile.class);
    private static final int MAX_BYTES = 4096;

    private final Path file;
    private final Duration lookEvery;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile WriteToken token;
    private volatile boolean isUsable = true;

    private TokenFile(Path file, Duration lookEvery, WriteToken token) {
        this.file = file;
        this.lookEvery = lookEvery;
        this.token = token;
    }

    /// Reads the token, and goes on looking until closed.
    ///
    /// @throws IOException the file cannot be read or holds no token; the message names it and the key
    public static TokenFile open(Path file) throws IOException {
        return open(file, LOOK_EVERY);
    }

    static TokenFile open(Path file, Duration lookEvery) throws IOException {
        var opened = new TokenFile(file, lookEvery, read(file));
        Thread.ofPlatform().daemon().name("tarpon-token").start(opened::look);
        return opened;
    }

    /// The token in the file now.
    ///
    /// @throws IOException the file cannot be read or holds no token; the message names it and the key
    public static WriteToken read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new WriteToken(new String(in.readNBytes(MAX_BYTES), UTF_8));
        } catch (NoSuchFileException e) {
            throw new IOException("tarpon.token-file " + file + " is not there: make it, or set the key to another", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("tarpon.token-file " + file + " cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public WriteToken current() {
        return token;
    }

    @Override
    public WriteToken reread() {
        try {
            var read = read(file);
            if (!read.equals(token)) {
                token = read;
                LOG.infof("write token replaced file=%s", file);
            }
            isUsable = true;
        } catch (IOException e) {
            if (isUsable) {
                LOG.warnf("write token not readable, the one read before stays reason=%s", e.getMessage());
            }
            isUsable = false;
        }
        return token;
    }

    @Override
    public void close() {
        closed.countDown();
    }

    private void look() {
        try {
            while (!closed.await(lookEvery.toNanos(), TimeUnit.NANOSECONDS)) {
                var _ = reread();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
