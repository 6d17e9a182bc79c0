package io.tarpon.wire.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Jackson looks at records by reflection, and a native image knows only what it was told of.
class NativeImageTest {
    private static final String METADATA = "/META-INF/native-image/io.tarpon/wire/reachability-metadata.json";

    private static final Map<String, Boolean> WHOLE =
            Map.of("allDeclaredConstructors", true, "allDeclaredMethods", true, "allDeclaredFields", true);

    @Test
    void everyRecordAndEnumIsKnownToANativeImage() throws IOException {
        var entries = new ArrayList<Map<String, Object>>();
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.tarpon.wire").stream()
                        .filter(type -> type.isRecord() || type.isEnum())
                        .map(JavaClass::getName)
                        .sorted()
                        .forEach(name -> {
                            var entry = new TreeMap<String, Object>(WHOLE);
                            entry.put("type", name);
                            entries.add(entry);
                        });
        var expected = Json.MAPPER.valueToTree(Map.of("reflection", entries));

        try (var file = NativeImageTest.class.getResourceAsStream(METADATA)) {
            assertThat(file).as(METADATA).isNotNull();
            assertThat(Json.MAPPER.readTree(file))
                    .as("write this to " + METADATA + ":\n" + expected.toPrettyString())
                    .isEqualTo(expected);
        }
    }
}
