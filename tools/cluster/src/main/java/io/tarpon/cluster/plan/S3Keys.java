package io.tarpon.cluster.plan;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The login of a local cluster's S3 server, made once for a state folder. Written as lines that a shell can read, so
/// that `curl --aws-sigv4` and the usual tools get at the buckets, too.
public record S3Keys(String accessKey, String secretKey) {
    private static final String ACCESS = "AWS_ACCESS_KEY_ID";
    private static final String SECRET = "AWS_SECRET_ACCESS_KEY";
    private static final Pattern TEXT =
            Pattern.compile(ACCESS + "=([0-9A-Za-z]{16,64})\n" + SECRET + "=([0-9A-Za-z]{16,64})\n");

    /// Throws an IllegalArgumentException where the text is not what [#text] wrote.
    public static S3Keys parse(String text) {
        var lines = TEXT.matcher(text);
        if (!lines.matches()) {
            throw new IllegalArgumentException("it does not hold one line " + ACCESS + "=… and one " + SECRET + "=…");
        }
        return new S3Keys(lines.group(1), lines.group(2));
    }

    public String text() {
        return ACCESS + "=" + accessKey + "\n" + SECRET + "=" + secretKey + "\n";
    }

    /// For processes: arguments are seen by everybody on the machine, their environment is not.
    Map<String, String> environment() {
        return new TreeMap<>(Map.of(ACCESS, accessKey, SECRET, secretKey));
    }

    /// Nothing that a log may hold.
    @Override
    public String toString() {
        return "S3Keys[" + accessKey + "]";
    }
}
