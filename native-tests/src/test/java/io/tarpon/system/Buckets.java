package io.tarpon.system;

import io.tarpon.wire.Digests;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The buckets of a cluster's S3 server, written to as an uploader does: path style, Signature Version 4 (Amazon S3 API
/// Reference, "Authenticating Requests: Using the Authorization Header").
final class Buckets {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'");
    private static final String REGION = "us-east-1";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final String endpoint;
    private final String accessKey;
    private final String secretKey;

    private Buckets(String endpoint, String accessKey, String secretKey) {
        this.endpoint = endpoint;
        this.accessKey = accessKey;
        this.secretKey = secretKey;
    }

    static Buckets of(Tarpon tarpon) throws IOException {
        var login = new Properties();
        try (var in = Files.newBufferedReader(tarpon.home().resolve("s3-credentials"))) {
            login.load(in);
        }
        return new Buckets(
                tarpon.url("s3"), login.getProperty("AWS_ACCESS_KEY_ID"), login.getProperty("AWS_SECRET_ACCESS_KEY"));
    }

    /// An object as it was stored.
    record Stored(String bucket, String key, long size, String etag) {}

    Stored put(String bucket, String key, byte[] bytes) {
        var answer = send("PUT", "/" + bucket + "/" + encoded(key), bytes);
        requireDone(answer, "PUT " + key);
        var etag = answer.headers().firstValue("ETag").orElseThrow().replace("\"", "");
        return new Stored(bucket, key, bytes.length, etag);
    }

    /// Every file of a folder below `prefix`.
    void putFolder(String bucket, String prefix, Path folder) throws IOException {
        for (var name : Folders.contents(folder).keySet()) {
            put(bucket, prefix + name, Files.readAllBytes(folder.resolve(name)));
        }
    }

    /// How many objects of a bucket begin with `prefix`.
    int count(String bucket, String prefix) {
        var answer = send(
                "GET", "/" + bucket + "?list-type=2&prefix=" + encoded(prefix).replace("/", "%2F"), new byte[0]);
        requireDone(answer, "list " + prefix);
        return answer.body().split("<Contents>", -1).length - 1;
    }

    private static void requireDone(HttpResponse<String> answer, String what) {
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(what + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    private HttpResponse<String> send(String method, String target, byte[] body) {
        var uri = URI.create(endpoint + target);
        var stamp = STAMP.format(Instant.now().atOffset(ZoneOffset.UTC));
        var signed = new TreeMap<String, String>();
        signed.put("host", uri.getAuthority());
        signed.put("x-amz-content-sha256", Digests.sha256Hex(body));
        signed.put("x-amz-date", stamp);
        var request = HttpRequest.newBuilder(uri)
                .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
                .header("Authorization", authorization(method, uri, stamp, signed));
        signed.forEach((name, value) -> {
            if (!name.equals("host")) {
                request.header(name, value);
            }
        });
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(method + " " + uri, e);
        }
    }

    private String authorization(String method, URI uri, String stamp, Map<String, String> signed) {
        var names = String.join(";", signed.keySet());
        var headers = new StringBuilder();
        signed.forEach(
                (name, value) -> headers.append(name).append(':').append(value).append('\n'));
        var query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
        var canonical = method + "\n" + uri.getRawPath() + "\n" + query + "\n" + headers + "\n" + names + "\n"
                + signed.get("x-amz-content-sha256");
        var scope = List.of(stamp.substring(0, 8), REGION, "s3", "aws4_request");
        var text = "AWS4-HMAC-SHA256\n" + stamp + "\n" + String.join("/", scope) + "\n"
                + Digests.sha256Hex(canonical.getBytes(StandardCharsets.UTF_8));
        byte[] key = ("AWS4" + secretKey).getBytes(StandardCharsets.UTF_8);
        for (var part : scope) {
            key = hmac(key, part);
        }
        return "AWS4-HMAC-SHA256 Credential=" + accessKey + "/" + String.join("/", scope) + ",SignedHeaders=" + names
                + ",Signature=" + HexFormat.of().formatHex(hmac(key, text));
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static String encoded(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~")
                .replace("%2F", "/");
    }
}
