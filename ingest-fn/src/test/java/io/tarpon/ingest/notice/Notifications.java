package io.tarpon.ingest.notice;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.json.Json;
import java.net.URLEncoder;

/// Notifications as the stores send them (events.md 1.2 to 1.6), with what a test wants to differ.
public final class Notifications {
    public static final String ETAG = "d41d8cd98f00b204e9800998ecf8427e";

    private Notifications() {}

    public static String aws(String bucket, String key) {
        return records(record("aws:s3", "2.6", "ObjectCreated:Put", bucket, awsKey(key), "\"size\":0,", "0064D3901D"));
    }

    /// Key and size are left out of the record inside, as MinIO does for an empty object.
    public static String minio(String bucket, String key) {
        var record = record("minio:s3", "2.0", "s3:ObjectCreated:Put", bucket, goKey(key), "", "18A2B3C4D5E6F708");
        return outer(bucket + "/" + key, record);
    }

    public static String rustfs(String bucket, String key) {
        var record = record(
                "rustfs:s3", "2.0", "s3:ObjectCreated:Put", bucket, goKey(key), "\"size\":0,", "18A2B3C4D5E6F708");
        return outer(bucket + "/" + key, record);
    }

    public static String ceph(String bucket, String key) {
        return records(
                record("ceph:s3", "2.1", "ObjectCreated:Put", bucket, key, "\"size\":\"0\",", "F7E6D75DC742D108"));
    }

    public static String bridged(String bucket, String key) {
        return """
                {"version":"0","id":"1779","detail-type":"Object Created","source":"aws.s3","account":"111122223333",
                "time":"2026-05-01T10:00:00Z","region":"eu-west-1","resources":["arn:aws:s3:::raw"],
                "detail":{"version":"0","event-version":"1.0","bucket":{"name":%s},"object":{"key":%s,"size":0,
                "etag":"%s","version-id":"v1","sequencer":"617f08299329d189"},"reason":"PutObject"}}""".formatted(Json.text(bucket), Json.text(key), ETAG);
    }

    public static String outer(String outerKey, String record) {
        return "{\"EventName\":\"s3:ObjectCreated:Put\",\"Key\":" + Json.text(outerKey) + ",\"Records\":[" + record
                + "]}";
    }

    public static String records(String... records) {
        return "{\"Records\":[" + String.join(",", records) + "]}";
    }

    /// @param size a field with its comma, or nothing
    public static String record(
            String source, String version, String name, String bucket, String key, String size, String sequencer) {
        return """
                {"eventVersion":"%s","eventSource":"%s","awsRegion":"","eventTime":"2026-05-01T10:00:00.123Z",
                "eventName":"%s","s3":{"s3SchemaVersion":"1.0","bucket":{"name":%s},
                "object":{"key":%s,%s"eTag":"%s","versionId":"","sequencer":"%s"}}}""".formatted(version, source, name, Json.text(bucket), Json.text(key), size, ETAG, sequencer);
    }

    /// The S3 notification as the text of an SNS message.
    public static String sns(String message) {
        return "{\"Type\":\"Notification\",\"MessageId\":\"m\",\"TopicArn\":\"arn:aws:sns:eu-west-1:1:t\",\"Message\":"
                + Json.text(message) + ",\"UnsubscribeURL\":\"http://169.254.169.254/\"}";
    }

    public static String sqs(String body) {
        return "{\"MessageId\":\"m\",\"ReceiptHandle\":\"h\",\"Body\":" + Json.text(body) + "}";
    }

    /// Go's QueryEscape.
    public static String goKey(String key) {
        return URLEncoder.encode(key, UTF_8);
    }

    private static String awsKey(String key) {
        return goKey(key).replace("%2F", "/");
    }
}
