package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kafka and S3 over TLS, with a certificate of one's own, as a company's are.
class TlsIT {
    @TempDir
    Path scratch = Path.of("");

    @Test
    void theFunctionsReachKafkaAndS3OverTls() throws Exception {
        try (var tarpon = new Tarpon(scratch.resolve("home"));
                var tls = new Tls(scratch.resolve("tls"))) {
            tarpon.run("up", "--store", "s3").succeeded();
            ServiceProcess.stop(tarpon, "shard-fn");
            ServiceProcess.stop(tarpon, "ingest-fn");
            var settings = new HashMap<>(tls.trusted());
            settings.put("kafka.bootstrap.servers", tls.broker());
            var server = tarpon.url("s3");
            var secure = tls.before(URI.create(server));
            var folder = Folders.plain(scratch.resolve("folder"), 3, 50, 30_000, 31);
            Buckets.of(tarpon).putFolder("raw", "flowers/", folder);

            try (var ingest = started(tarpon, "ingest-fn", settings, server, secure);
                    var shard = started(tarpon, "shard-fn", settings, server, secure)) {
                ingest.ready();
                shard.ready();
                tarpon.run("ingest", "s3://raw/flowers", "--dataset", "flowers", "--shard-size", "1MiB")
                        .succeeded();
                assertThat(tls.accepted()).isPositive();
            }
            tarpon.run("verify", "flowers", "--source").succeeded();
        }
    }

    /// A function that finds the S3 server at `secure` only.
    private static ServiceProcess started(
            Tarpon tarpon, String name, Map<String, String> settings, String server, String secure) throws Exception {
        return ServiceProcess.Recipe.of(tarpon, name)
                .replacing("=" + server, "=" + secure)
                .with(settings)
                .start();
    }
}
