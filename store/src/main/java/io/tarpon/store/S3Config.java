package io.tarpon.store;

import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/// Where a bucket is and how to reach it. A group inside a service's configuration; bounds are checked when it is
/// opened.
public interface S3Config {
    /// Base URL of the server, such as `http://127.0.0.1:9000`. Absent: AWS, by region. The only place a client is
    /// ever told to connect to.
    Optional<String> endpoint();

    /// Region name; servers other than AWS take any.
    @WithDefault("us-east-1")
    String region();

    /// Bucket name; needed for kind `s3`.
    Optional<String> bucket();

    /// Put before every key as it is (write the `/` at its end). Absent: the whole bucket.
    Optional<String> prefix();

    /// `http://host/bucket/key` rather than `http://bucket.host/key`.
    @WithDefault("true")
    boolean pathStyle();

    /// Absent: the AWS SDK's default chain (environment, profile, web identity, instance).
    Optional<String> accessKeyId();

    /// Belongs to `access-key-id`.
    Optional<String> secretAccessKey();

    /// Time to establish a connection; 100 ms to 1 min.
    @WithDefault("PT2S")
    Duration connectTimeout();

    /// Longest silence while an answer is awaited or read; 1 s to 10 min.
    @WithDefault("PT30S")
    Duration readTimeout();

    /// Longest time for one attempt at a request, up to the head of its answer; 1 s to 1 h.
    @WithDefault("PT2M")
    Duration attemptTimeout();

    /// Attempts at one request, the first included; 1 to 10.
    @WithDefault("3")
    int attempts();

    /// Requests of one client at a time; 1 to 1,000.
    @WithDefault("64")
    int maxConnections();

    /// First part size of a multipart upload in bytes, and the memory one upload takes; 5 MiB to 1 GiB.
    @WithDefault("8388608")
    int partBytes();

    /// Every so many parts the part size doubles, so that S3's 10,000 parts suffice for 3.9 TiB; 1 to 1,000.
    @WithDefault("1000")
    int partGrowthEvery();
}
