package io.tarpon.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.Sources;
import io.tarpon.store.SourcesConfig;
import io.tarpon.store.StoreConfig;
import io.tarpon.store.Stores;
import io.tarpon.testkit.S3ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A small heap carries large objects: memory is bounded by configuration, not by their size.
@Timeout(600)
class S3MemoryTest {
    private static final long BYTES = 600L << 20;
    private static final int HEAP_MIB = 64;

    @TempDir
    Path data;

    /// As a service declares it.
    @ConfigMapping(prefix = "tarpon")
    interface ServiceConfig extends SourcesConfig {
        StoreConfig store();
    }

    /// Another process, with default settings: writes an object, reads it back as ours and as a source's, and prints
    /// what it read.
    static final class BigObject {
        private BigObject() {}

        public static void main(String[] args) throws IOException {
            var config = config(args[0]);
            try (var store = Stores.open(config.store());
                    var sources = new Sources(config)) {
                write(store);
                try (InputStream in = store.open("in/big", 0, BYTES)) {
                    System.out.println("ours " + crc(in));
                }
                try (var source = sources.open("raw")) {
                    var object = source.find("big").orElseThrow();
                    try (InputStream in = source.open("big", object.etag(), BYTES)) {
                        System.out.println("source " + crc(in));
                    }
                }
            }
        }

        private static void write(ObjectStore store) throws IOException {
            var sum = new CRC32C();
            var chunk = new byte[1 << 20];
            try (var upload = store.upload("in/big")) {
                for (long at = 0; at < BYTES; at += chunk.length) {
                    ByteBuffer.wrap(chunk).putLong(0, at);
                    sum.update(chunk);
                    upload.write(ByteBuffer.wrap(chunk));
                }
                upload.complete();
            }
            System.out.println("written " + sum.getValue());
        }

        private static long crc(InputStream in) throws IOException {
            var sum = new CRC32C();
            var chunk = new byte[64 << 10];
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                sum.update(chunk, 0, n);
            }
            return sum.getValue();
        }

        private static ServiceConfig config(String endpoint) {
            return new SmallRyeConfigBuilder()
                    .withMapping(ServiceConfig.class)
                    .withDefaultValues(Map.of(
                            "tarpon.store.kind",
                            "s3",
                            "tarpon.store.s3.endpoint",
                            endpoint,
                            "tarpon.store.s3.bucket",
                            S3ServerProcess.BUCKET,
                            "tarpon.sources.raw.kind",
                            "s3",
                            "tarpon.sources.raw.endpoint",
                            endpoint,
                            "tarpon.sources.raw.bucket",
                            S3ServerProcess.BUCKET,
                            "tarpon.sources.raw.prefix",
                            "in/"))
                    .build()
                    .getConfigMapping(ServiceConfig.class);
        }
    }

    @Test
    void anObjectTenTimesTheHeapGoesThereAndBack() throws Exception {
        try (var server = S3ServerProcess.start(data)) {
            var builder = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx" + HEAP_MIB + "m",
                            "-XX:MaxDirectMemorySize=16m",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            BigObject.class.getName(),
                            "http://127.0.0.1:" + server.port())
                    .redirectError(ProcessBuilder.Redirect.INHERIT);
            // By the environment, the first place of the usual chain.
            builder.environment().put("AWS_ACCESS_KEY_ID", S3ServerProcess.ACCESS_KEY);
            builder.environment().put("AWS_SECRET_ACCESS_KEY", S3ServerProcess.SECRET_KEY);
            Process process = builder.start();
            try (var out = process.inputReader(UTF_8)) {
                String written = String.valueOf(out.readLine());
                assertThat(written).startsWith("written ");
                String sum = written.substring("written ".length());
                assertThat(out.readLine()).isEqualTo("ours " + sum);
                assertThat(out.readLine()).isEqualTo("source " + sum);
                assertThat(process.waitFor()).isZero();
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
