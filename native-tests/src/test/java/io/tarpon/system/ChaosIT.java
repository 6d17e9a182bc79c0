package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A minute of random trouble on each kind of store; `-Dnightly` runs it, for it takes long and is never twice the
/// same.
@EnabledIfSystemProperty(named = "nightly", matches = ".*")
class ChaosIT {
    @TempDir
    Path scratch = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"directory", "s3"})
    void inTheEndEveryVersionHasEndedNoByteWasWrongAndEveryEventWasToldOnce(String store) throws Exception {
        var tarpon = new Tarpon(Files.createDirectories(scratch.resolve("home")));
        var result = tarpon.run("chaos", "--minutes", "1", "--store", store, "--json");
        System.out.println(result.err());
        var found = result.json();
        assertThat(found.get("wrong")).as(result.out()).isEmpty();
        assertThat(result.exit()).isZero();
        assertThat(found.get("versions").get("sealed").asInt()).isPositive();
        assertThat(found.get("reads").get("whole").asLong()).isPositive();
    }
}
