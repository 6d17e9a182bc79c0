package io.tarpon.metadata.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTest {
    @Test
    void settingsAreThoseOfTheService() throws IOException {
        var read = JobSettings.of(config(Map.of(
                        "tarpon.metadata.dir", "/var/lib/tarpon",
                        "tarpon.metadata.kafka.topic", "a.log",
                        "tarpon.metadata.kafka.replicas", "2",
                        "kafka.bootstrap.servers", "one:9092,two:9092")))
                .places();
        assertThat(read.folder()).isEqualTo(Path.of("/var/lib/tarpon"));
        assertThat(read.topic().topic()).isEqualTo("a.log");
        assertThat(read.topic().replicas()).isEqualTo(2);
        assertThat(read.topic().brokers().servers()).isEqualTo("one:9092,two:9092");
        var usual = JobSettings.of(config(Map.of())).places();
        assertThat(usual.folder()).isEqualTo(Path.of("metadata"));
        assertThat(usual.topic().topic()).isEqualTo("tarpon.metadata");
        assertThat(usual.topic().replicas()).isEqualTo(3);
    }

    @Test
    void settingsStandInFilesToo(@TempDir Path folder) throws IOException {
        var mounted = Files.writeString(folder.resolve("mounted.properties"), "kafka.bootstrap.servers=mounted:9092\n");
        var own = Files.writeString(folder.resolve("application.properties"), """
            tarpon.metadata.kafka.topic=plain
            %prod.tarpon.metadata.kafka.topic=prod
            %dev.tarpon.metadata.dir=/dev/null
            """);
        var locations = Map.of("smallrye.config.locations", mounted.toString());
        var read = JobSettings.read(
                        own,
                        new SmallRyeConfigBuilder().withSources(new PropertiesConfigSource(locations, "test", 400)))
                .places();
        assertThat(read.topic().topic()).isEqualTo("prod");
        assertThat(read.topic().brokers().servers()).isEqualTo("mounted:9092");
        assertThat(read.folder()).isEqualTo(Path.of("metadata"));
    }

    @Test
    void settingOutOfItsBoundsIsNamed() {
        for (var wrong : List.of("0", "101", "many")) {
            assertThatThrownBy(() -> JobSettings.of(config(Map.of("tarpon.metadata.kafka.replicas", wrong))))
                    .hasMessageContaining("tarpon.metadata.kafka.replicas is " + wrong);
        }
    }

    @Test
    void jobThatIsNotKnownIsSaidWithThoseThatAre() {
        var err = new ByteArrayOutputStream();
        var stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        assertThat(new Job(stream, stream).run(List.of("move", "etcd"))).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("'move etcd'").contains("'move kafka'");
    }

    private static SmallRyeConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
    }
}
