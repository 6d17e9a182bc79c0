package io.tarpon.store.s3;

import io.tarpon.store.RefusedException;
import io.tarpon.store.S3Config;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// A bucket, or the part of it under a prefix, with the client that reaches it. Safe for several threads.
public final class Bucket implements AutoCloseable {
    /// S3's rules for names, which leave no room for an ARN or a host.
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

    private final S3Client client;
    private final AwsCredentialsProvider keys;
    private final CallLimits limits;
    private final String name;
    private final String prefix;
    private final boolean ownsClient;

    private Bucket(
            S3Client client,
            AwsCredentialsProvider keys,
            CallLimits limits,
            String name,
            String prefix,
            boolean ownsClient) {
        this.client = client;
        this.keys = keys;
        this.limits = limits;
        this.name = name;
        this.prefix = prefix;
        this.ownsClient = ownsClient;
    }

    /// Connects to nothing yet.
    ///
    /// @param configKey what the values are called in messages, such as `tarpon.store.s3`
    /// @throws IllegalArgumentException naming the key whose value is missing or out of bounds
    public static Bucket open(String configKey, S3Config config) {
        String name = config.bucket()
                .orElseThrow(() -> new IllegalArgumentException(configKey + ".bucket is needed for kind s3"));
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(configKey + ".bucket is not a bucket name: " + name);
        }
        var settings = new ClientSettings(configKey, config);
        settings.check();
        var limits = CallLimits.of(config);
        var keys = settings.keys();
        return new Bucket(
                settings.client(limits, keys),
                keys,
                limits,
                name,
                config.prefix().orElse(""),
                true);
    }

    /// The same bucket seen from a longer prefix; works for as long as this one is open.
    public Bucket at(String longerPrefix) {
        if (!longerPrefix.startsWith(prefix)) {
            throw new IllegalArgumentException(longerPrefix + " is not below " + prefix);
        }
        return new Bucket(client, keys, limits, name, longerPrefix, false);
    }

    @Override
    public void close() {
        if (ownsClient) {
            client.close();
        }
    }

    @Override
    public String toString() {
        return "s3://" + name + "/" + prefix;
    }

    S3Client client() {
        return client;
    }

    CallLimits limits() {
        return limits;
    }

    /// For a request that may take so many times longer than an ordinary one.
    Consumer<AwsRequestOverrideConfiguration.Builder> deadlines(int timesLonger) {
        return call -> call.apiCallAttemptTimeout(limits.attemptTimeout(timesLonger))
                .apiCallTimeout(limits.callTimeout(timesLonger));
    }

    String name() {
        return name;
    }

    /// Put before every key.
    public String prefix() {
        return prefix;
    }

    /// Whether a reference to that bucket and prefix means something in here.
    public boolean holds(String bucketName, String itsPrefix) {
        return name.equals(bucketName) && itsPrefix.startsWith(prefix);
    }

    String objectKey(String key) {
        return prefix + key;
    }

    /// What the server says about one object; empty when there is none. The answer to a HEAD has no body, so a bucket
    /// that is not there looks the same and is asked for.
    ///
    /// @param key below the prefix
    Optional<HeadObjectResponse> head(String key) throws IOException {
        var found = call(
                "look at " + key,
                () -> client.headObject(request -> request.bucket(name).key(objectKey(key))));
        if (found.isEmpty()
                && call("look for the bucket", () -> client.headBucket(it -> it.bucket(name)))
                        .isEmpty()) {
            throw new RefusedException("look at " + key + ": there is no bucket " + name);
        }
        return found;
    }

    /// Calls the server. An answer of status 404 for an object is empty; every other refusal or failure is an I/O
    /// error that says what was tried. The SDK has retried by then.
    <T> Optional<T> call(String what, Supplier<T> request) throws IOException {
        try {
            return Optional.of(request.get());
        } catch (S3Exception e) {
            if (e.statusCode() == 404 && !"NoSuchBucket".equals(errorCode(e))) {
                return Optional.empty();
            }
            throw failure(what, e);
        } catch (SdkException e) {
            throw failure(what, e);
        }
    }

    /// As [#call] for what cannot be missing.
    <T> T demand(String what, Supplier<T> request) throws IOException {
        return call(what, request).orElseThrow(() -> new IOException(what + " in " + this + ": the server says 404"));
    }

    /// As [#demand] for a listing, whose keys travel encoded: XML cannot hold every character that a key can. The SDK
    /// decodes them, and a server may have sent what is no such encoding.
    <T> T demandListing(String what, Supplier<T> request) throws IOException {
        try {
            return call(what, request)
                    .orElseThrow(() -> new RefusedException(what + " in " + this + ": the server says 404"));
        } catch (IllegalArgumentException e) {
            throw new IOException(what + " in " + this + ": the server's keys cannot be decoded: " + e.getMessage(), e);
        }
    }

    IOException failure(String what, SdkException e) {
        if (e instanceof S3Exception answer && "NoSuchBucket".equals(errorCode(answer))) {
            return new RefusedException(what + ": there is no bucket " + name, e);
        }
        var said = what + " in " + this + ": " + message(e);
        return e instanceof S3Exception answer && isRefusal(answer)
                ? new RefusedException(said, e)
                : new S3Failure(said, e);
    }

    /// A clock that is wrong is put right while we run, and so is a key that is in files.
    private boolean isRefusal(S3Exception answer) {
        return (answer.statusCode() == 401 || answer.statusCode() == 403)
                && !"RequestTimeTooSkewed".equals(errorCode(answer))
                && !(keys instanceof FileKeys files && files.mayChangeAnswer(errorCode(answer)));
    }

    /// With the root of it, which names the host or port where the SDK's own words do not.
    private static String message(SdkException e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(e.getMessage());
        String reason = String.valueOf(root.getMessage());
        return message.contains(reason)
                ? message
                : message + " (" + root.getClass().getSimpleName() + ": " + reason + ")";
    }

    private static String errorCode(S3Exception e) {
        return e.awsErrorDetails() == null ? "" : e.awsErrorDetails().errorCode();
    }
}
