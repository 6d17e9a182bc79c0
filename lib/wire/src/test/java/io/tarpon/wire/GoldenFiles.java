package io.tarpon.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Bytes of yesterday, as files: what is encoded today must equal them, and they must decode to the same value. With
/// `-Dtarpon.golden.write=true` missing files are written, to be read by a person and committed.
public final class GoldenFiles {
    private static final Path SOURCES = Path.of("src/test/resources/golden");

    private GoldenFiles() {}

    public static void check(String name, Object value) throws IOException {
        var text = pretty(value);
        var golden = read(name, text);
        assertThat(text).as(name).isEqualTo(golden);
        assertThat(Json.MAPPER.readValue(golden, value.getClass())).as(name).isEqualTo(value);
    }

    private static String pretty(Object value) throws JsonProcessingException {
        return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
    }

    static String read(String name, String ifMissing) throws IOException {
        try (InputStream in = GoldenFiles.class.getResourceAsStream("/golden/" + name)) {
            if (in != null) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        if (!Boolean.getBoolean("tarpon.golden.write")) {
            throw new AssertionError(
                    "no golden file " + name + "; write it with -Dtarpon.golden.write=true and read it");
        }
        Files.createDirectories(SOURCES);
        Files.writeString(SOURCES.resolve(name), ifMissing);
        return ifMissing;
    }
}
