package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every jar that is delivered with a program stands in its bill of materials, with a digest.
class BillOfMaterialsIT {
    private static final Path PRODUCT = Path.of(System.getProperty("tarpon.product"));
    private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

    @ParameterizedTest
    @ValueSource(strings = {"ingest-fn", "shard-fn", "metadata-svc", "block-svc", "loader-gateway"})
    void everyJarOfAServiceStandsInItsBill(String service) throws IOException {
        var target = PRODUCT.resolve(service).resolve("target");
        var libraries = target.resolve("quarkus-app").resolve("lib");
        requireListed(target, true, List.of(libraries.resolve("boot"), libraries.resolve("main")));
    }

    @Test
    void everyJarOfTheCommandStandsInItsBill() throws IOException {
        var target = PRODUCT.resolve("tools").resolve("cli").resolve("target");
        requireListed(target, false, List.of(target.resolve("lib")));
    }

    /// @param groups whether the names of the jars begin with their group
    private static void requireListed(Path target, boolean groups, List<Path> folders) throws IOException {
        var bill = Json.MAPPER.readTree(target.resolve("bom.json").toFile());
        assertThat(bill.get("bomFormat").asText()).isEqualTo("CycloneDX");

        var listed = new TreeMap<String, JsonNode>();
        for (var component : bill.get("components")) {
            var name = component.get("name").asText() + "-"
                    + component.get("version").asText();
            var classified = CLASSIFIER.matcher(component.get("purl").asText());
            name = classified.find() ? name + "-" + classified.group(1) : name;
            listed.put(groups ? component.get("group").asText() + "." + name : name, component);
        }
        var delivered = new TreeSet<String>();
        for (var folder : folders) {
            try (var jars = Files.list(folder)) {
                jars.forEach(jar -> delivered.add(jar.getFileName().toString().replaceFirst("\\.jar$", "")));
            }
        }
        assertThat(delivered).isNotEmpty().allSatisfy(jar -> assertThat(listed).containsKey(jar));
        assertThat(listed.values())
                .allSatisfy(component ->
                        assertThat(component.at("/hashes/0/content").asText()).isNotEmpty());
    }
}
