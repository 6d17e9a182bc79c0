package io.tarpon.servers.s3;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.UsageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What an S3 server is started with.
///
/// @param login absent: requests are neither signed nor checked
record S3Settings(String bind, int port, Path dataDir, List<String> buckets, Optional<Login> login) {
    static final List<String> ARGUMENTS =
            List.of("--bind", "--port", "--data-dir", "--bucket", "--access-key", "--secret-key");

    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

    record Login(String accessKey, String secretKey) {}

    /// @param environment `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` count where no argument does; an argument is
    ///     seen by everybody on the machine
    static S3Settings from(Arguments arguments, Map<String, String> environment) throws UsageException {
        List<String> buckets = arguments.all("--bucket");
        for (String bucket : buckets) {
            if (!BUCKET.matcher(bucket).matches()) {
                throw new UsageException("--bucket must be 3 to 63 of [a-z0-9.-], not \"" + bucket + "\"");
            }
        }
        return new S3Settings(
                arguments.text("--bind", "127.0.0.1"),
                arguments.port("--port"),
                arguments.directory("--data-dir"),
                buckets,
                login(arguments, environment));
    }

    private static Optional<Login> login(Arguments arguments, Map<String, String> environment) throws UsageException {
        String accessKey = arguments.text("--access-key", environment.getOrDefault("AWS_ACCESS_KEY_ID", ""));
        String secretKey = arguments.text("--secret-key", environment.getOrDefault("AWS_SECRET_ACCESS_KEY", ""));
        if (accessKey.isEmpty() != secretKey.isEmpty()) {
            throw new UsageException("an access key and a secret key come together or not at all");
        }
        return accessKey.isEmpty() ? Optional.empty() : Optional.of(new Login(accessKey, secretKey));
    }
}
