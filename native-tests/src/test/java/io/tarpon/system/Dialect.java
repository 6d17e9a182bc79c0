package io.tarpon.system;

import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/// How three object stores tell of an upload: what each puts into a Kafka record.
enum Dialect {
    /// As a bridge from SQS would write it.
    AWS {
        @Override
        Optional<String> key(Buckets.Stored stored) {
            return Optional.empty();
        }

        @Override
        String value(Buckets.Stored stored, Instant at) {
            return "{\"Records\":["
                    + record(
                            "aws:s3",
                            "2.6",
                            "ObjectCreated:Put",
                            at,
                            stored.bucket(),
                            formEncoded(stored.key()).replace("%2F", "/"),
                            ",\"size\":" + stored.size(),
                            stored.etag(),
                            hex(at.getEpochSecond(), at.getNano()))
                    + "]}";
        }
    },

    /// The value names the object twice, slashes are escaped, and a size of 0 is left out.
    MINIO {
        @Override
        Optional<String> key(Buckets.Stored stored) {
            return Optional.of(stored.bucket() + "/" + stored.key());
        }

        @Override
        String value(Buckets.Stored stored, Instant at) {
            return "{\"EventName\":\"s3:ObjectCreated:Put\",\"Key\":\"" + stored.bucket() + "/" + stored.key()
                    + "\",\"Records\":["
                    + record(
                            "minio:s3",
                            "2.0",
                            "s3:ObjectCreated:Put",
                            at,
                            stored.bucket(),
                            formEncoded(stored.key()),
                            stored.size() == 0 ? "" : ",\"size\":" + stored.size(),
                            stored.etag(),
                            hex(at.getEpochSecond(), at.getNano()))
                    + "]}";
        }
    },

    /// No record key, the object's key as it is, a sequencer in the machine's byte order.
    CEPH {
        @Override
        Optional<String> key(Buckets.Stored stored) {
            return Optional.empty();
        }

        @Override
        String value(Buckets.Stored stored, Instant at) {
            var sequencer = ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt((int) at.getEpochSecond())
                    .putInt(at.getNano())
                    .array();
            return "{\"Records\":["
                    + record(
                            "ceph:s3",
                            "2.1",
                            "ObjectCreated:Put",
                            at,
                            stored.bucket(),
                            stored.key(),
                            ",\"size\":" + stored.size(),
                            stored.etag(),
                            HexFormat.of().withUpperCase().formatHex(sequencer))
                    + "]}";
        }
    };

    /// Empty where the store writes none.
    abstract Optional<String> key(Buckets.Stored stored);

    abstract String value(Buckets.Stored stored, Instant at);

    private static String record(
            String source,
            String version,
            String event,
            Instant at,
            String bucket,
            String key,
            String size,
            String etag,
            String sequencer) {
        return "{\"eventVersion\":\"" + version + "\",\"eventSource\":\"" + source
                + "\",\"awsRegion\":\"\",\"eventTime\":\"" + at + "\",\"eventName\":\"" + event
                + "\",\"userIdentity\":{\"principalId\":\"up\"},\"requestParameters\":{\"sourceIPAddress\":\"\"},"
                + "\"responseElements\":{\"x-amz-request-id\":\"r\",\"x-amz-id-2\":\"h\"},"
                + "\"s3\":{\"s3SchemaVersion\":\"1.0\",\"configurationId\":\"ingest\",\"bucket\":{\"name\":\"" + bucket
                + "\",\"ownerIdentity\":{\"principalId\":\"up\"},\"arn\":\"arn:aws:s3:::" + bucket
                + "\"},\"object\":{\"key\":\"" + key + "\"" + size + ",\"eTag\":\"" + etag
                + "\",\"versionId\":\"\",\"sequencer\":\"" + sequencer + "\"}}}";
    }

    private static String formEncoded(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8);
    }

    private static String hex(long seconds, int nanos) {
        return String.format(Locale.ROOT, "%016X", seconds * 1_000_000_000L + nanos);
    }

    String dataset() {
        return "of-" + name().toLowerCase(Locale.ROOT);
    }
}
