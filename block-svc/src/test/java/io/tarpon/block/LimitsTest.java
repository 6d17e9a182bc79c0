package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
    @ParameterizedTest
    @CsvSource({
        "tarpon.node.id, a b",
        "tarpon.node.id, -a",
        "tarpon.bind, 0.0.0.0",
        "tarpon.bind, ::",
        "tarpon.block.disk-deadline, PT0.001S",
        "tarpon.block.disk-open-wait, PT2H",
        "tarpon.block.capacity, 1MiB",
        "tarpon.block.open-files, 0",
        "tarpon.block.fill-concurrency, 257",
        "tarpon.block.fill-queue, 0",
        "tarpon.block.wanted-fills, 0",
        "tarpon.block.wanted-queue, 100001",
        "tarpon.block.verify-threads, 65",
        "tarpon.block.verify-queue, 0",
        "tarpon.block.table-cache, 1KiB",
        "tarpon.block.max-index, 2GiB",
        "tarpon.block.quarantine-files, -1",
        "tarpon.block.heartbeat, PT0.01S",
        "tarpon.block.nodes-wait, PT6M",
        "tarpon.block.use-flush, PT2H",
        "tarpon.block.peer-connect-timeout, PT0S",
        "tarpon.block.peer-read-timeout, PT10M",
    })
    void valueOutOfBoundsIsRefusedByItsKey(String key, String value) {
        assertThatThrownBy(() -> Limits.check(config(Map.of(key, value))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key);
    }

    @Test
    void addressThatOthersCannotUseIsRefusedUntilTheyAreToldAnother() {
        var every = Map.of("tarpon.bind", "0.0.0.0", "tarpon.node.url", "http://node-7:7081");
        assertThat(Limits.check(config(every)).bind()).isEqualTo("0.0.0.0");
        assertThatThrownBy(() -> Limits.check(config(Map.of("tarpon.bind", "0.0.0.0"))))
                .hasMessageContaining("tarpon.node.url");
    }

    @Test
    void eachDataFolderHasItsShareOfTheCapacity() {
        var three = Map.of("tarpon.block.data-dirs", "/a,/b,/c", "tarpon.block.capacity", "95MiB");
        assertThatThrownBy(() -> Limits.check(config(three))).hasMessageContaining("tarpon.block.capacity");
    }

    @Test
    void defaultsAreWithinBounds() {
        assertThat(Limits.check(config(Map.of())).block().capacity().bytes()).isEqualTo(2L << 30);
    }

    private static BlockConfig config(Map<String, String> changes) {
        var values = new HashMap<>(Map.of("tarpon.block.dir", "/nowhere"));
        values.putAll(changes);
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(BlockConfig.class)
                .withSources(new PropertiesConfigSource(values, "test", 100))
                .build()
                .getConfigMapping(BlockConfig.class);
    }
}
