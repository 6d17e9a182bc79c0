package io.tarpon.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/// An access key whose id and secret are in files that may be replaced at any time. Requests look at the files at most
/// once a second, and at once after an answer that refused the key; while they cannot be read, what was read last
/// holds.
///
/// Files of one mount are replaced together, so a pair during whose reading either changed is read again. Of files that
/// are replaced one after the other a pair that does not fit may be read in between: the server refuses it, which is
/// no final refusal where the key is in files, and what is asked again is asked with what the files say then.
///
/// Safe for several threads: one looks at a time, the others go on with the pair that is there.
final class FileKeys implements AwsCredentialsProvider {
    private static final Logger LOG = Logger.getLogger(FileKeys.class);
    private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MAX_BYTES = 4096;
    /// Of a pair that changes under the reader each time; the next look begins anew.
    private static final int READS_OF_A_LOOK = 3;

    /// By which S3 and its like say that they do not know the key, or that the secret is another. An answer to HEAD
    /// has no body, so it says nothing.
    private static final Set<String> ABOUT_THE_KEY =
            Set.of("InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "");

    private final String configKey;
    private final Path id;
    private final Path secret;

    private volatile @Nullable Pair pair;
    private volatile long lookAt = System.nanoTime();
    private volatile String trouble = "";

    FileKeys(String configKey, Path id, Path secret) {
        this.configKey = configKey;
        this.id = id;
        this.secret = secret;
    }

    private record Stamp(FileTime modified, long bytes, String inode) {}

    private record Pair(List<Stamp> stamps, AwsCredentials credentials) {}

    /// @throws SdkClientException no pair was ever read; the message names key and file
    @Override
    public AwsCredentials resolveCredentials() {
        var held = pair;
        if (held == null || System.nanoTime() - lookAt >= 0) {
            held = look();
        }
        if (held == null) {
            throw SdkClientException.create(trouble);
        }
        return held.credentials();
    }

    /// Whether an answer of status 401 or 403 may be about the key. If so the files are looked at before the next
    /// request.
    boolean mayChangeAnswer(@Nullable String errorCode) {
        boolean aboutTheKey = errorCode == null || ABOUT_THE_KEY.contains(errorCode);
        if (aboutTheKey) {
            lookAt = System.nanoTime();
        }
        return aboutTheKey;
    }

    private synchronized @Nullable Pair look() {
        var held = pair;
        if (held != null && System.nanoTime() - lookAt < 0) {
            return held;
        }
        try {
            pair = read(held);
            if (held != null && !pair.equals(held)) {
                LOG.infof("access key read again key=%s id=%s", configKey, id);
            }
            trouble = "";
        } catch (IOException e) {
            var said = String.valueOf(e.getMessage());
            if (held != null && !said.equals(trouble)) {
                LOG.warnf("access key not readable, the one read before stays reason=%s", said);
            }
            trouble = said;
        }
        lookAt = System.nanoTime() + LOOK_EVERY_NANOS;
        return pair;
    }

    private Pair read(@Nullable Pair held) throws IOException {
        for (int reads = 0; reads < READS_OF_A_LOOK; reads++) {
            var before = stamps();
            if (held != null && held.stamps().equals(before)) {
                return held;
            }
            var credentials = AwsBasicCredentials.create(
                    read(".access-key-id-file", id), read(".secret-access-key-file", secret));
            if (before.equals(stamps())) {
                return new Pair(before, credentials);
            }
        }
        throw new IOException(configKey + ".access-key-id-file " + id + " and " + secret + " change all the time");
    }

    private List<Stamp> stamps() throws IOException {
        return List.of(stamp(".access-key-id-file", id), stamp(".secret-access-key-file", secret));
    }

    private Stamp stamp(String key, Path file) throws IOException {
        try {
            var found = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
        } catch (NoSuchFileException e) {
            throw new IOException(configKey + key + " " + file + " is not there", e);
        }
    }

    private String read(String key, Path file) throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new IOException(configKey + key + " " + file + " is not there", e);
        }
        var text = new String(bytes, UTF_8).strip();
        if (text.isEmpty() || bytes.length > MAX_BYTES) {
            throw new IOException(configKey + key + " " + file + " does not hold 1 to " + MAX_BYTES + " bytes");
        }
        return text;
    }
}
