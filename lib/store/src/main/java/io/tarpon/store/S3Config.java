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

    /// Absolute path of a file with the id instead, read again when it changes.
    Optional<String> accessKeyIdFile();

    /// Belongs to `access-key-id-file`.
    Optional<String> secretAccessKeyFile();

    /// Time to establish a connection; 100 ms to 1 min.
    @WithDefault("PT2S")
    Duration connectTimeout();

    /// Longest silence while an answer is awaited or read; 1 s to 10 min.
    @WithDefault("PT30S")
    Duration readTimeout();

    /// Longest time for one attempt at a request, up to the head of its answer; 1 s to 1 h. A part larger than the
    /// first has as many times that as it is larger.
    @WithDefault("PT1M")
    Duration attemptTimeout();

    /// Longest time for a request with all its attempts and the pauses between them, up to the head of an answer; at
    /// least `attempt-timeout`, at most 2 h.
    @WithDefault("PT2M")
    Duration callTimeout();

    /// Attempts at one request, the first included, and breaks in a row that one read survives; 1 to 20. With the
    /// default pauses 8 bridge at least 5 s.
    @WithDefault("8")
    int attempts();

    /// Pause before the second attempt, five times that after an answer that asks for less load (503); it doubles from
    /// there and is cut by up to half at random; 1 ms to 1 min.
    @WithDefault("PT0.1S")
    Duration firstPause();

    /// Longest pause between two attempts; at least `first-pause`, at most 5 min.
    @WithDefault("PT5S")
    Duration longestPause();

    /// Repetitions that all requests of one client may cost together while none succeeds; five successes earn one
    /// more. When it is used up the first failure of a request is its last; 0 to 100,000.
    @WithDefault("500")
    int retryBudget();

    /// A body that comes slower than so many bytes a second, after `read-timeout`, counts as broken off; 0 (never) to
    /// 1 GiB.
    @WithDefault("8192")
    long minBytesPerSecond();

    /// Requests of one client at a time; 1 to 1,000. At least the number of readers, or they wait for one another.
    @WithDefault("256")
    int maxConnections();

    /// Whether a whole object that is read is compared with its ETag where that is an MD5 (one PUT, no KMS key), if
    /// the server gives no CRC. Set false for a server whose ETags look like one and are none.
    @WithDefault("true")
    boolean checkEtag();

    /// Whether uploads carry a CRC-32 for the server to check, as a trailer. Set false for a server that refuses those
    /// (before MinIO 2023-06, Ceph 19).
    @WithDefault("true")
    boolean uploadChecksums();

    /// Parts of one upload held in memory: one is filled while the others are on their way; 2 to 64.
    @WithDefault("4")
    int uploadParts();

    /// First part size of a multipart upload in bytes; one upload takes `upload-parts` times that of memory; 5 MiB to
    /// 1 GiB.
    @WithDefault("8388608")
    int partBytes();

    /// Every so many parts the part size doubles, so that S3's 10,000 parts suffice for 3.9 TiB; 1 to 1,000.
    @WithDefault("1000")
    int partGrowthEvery();
}
