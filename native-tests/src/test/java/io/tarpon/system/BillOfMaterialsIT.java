package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every jar that is delivered with a program stands in its bill of materials, with a digest.
class BillOfMaterialsIT {
    private static final Path PRODUCT = Path.of(System.getProperty("tarpon.product"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ingest-fn/target/quarkus-app/lib/boot,ingest-fn/target/quarkus-app/lib/main",
                "shard-fn/target/quarkus-app/lib/boot,shard-fn/target/quarkus-app/lib/main",
                "metadata-svc/target/quarkus-app/lib/boot,metadata-svc/target/quarkus-app/lib/main",
                "block-svc/target/quarkus-app/lib/boot,block-svc/target/quarkus-app/lib/main",
                "loader-gateway/target/quarkus-app/lib/boot,loader-gateway/target/quarkus-app/lib/main",
                "tools/cli/target/lib"
            })
    void everyJarThatIsDeliveredStandsInTheBill(String folders) throws IOException {
        var target = PRODUCT.resolve(folders.substring(0, folders.indexOf("/target/")))
                .resolve("target");
        var bill = Json.MAPPER.readTree(target.resolve("bom.json").toFile());
        assertThat(bill.get("bomFormat").asText()).isEqualTo("CycloneDX");

        var listed = new TreeMap<String, JsonNode>();
        var isService = folders.contains("quarkus-app");
        for (var component : bill.get("components")) {
            var name = component.get("name").asText() + "-"
                    + component.get("version").asText();
            listed.put(isService ? component.get("group").asText() + "." + name : name, component);
        }
        var delivered = new TreeSet<String>();
        for (var folder : folders.split(",")) {
            try (var jars = Files.list(PRODUCT.resolve(folder))) {
                jars.forEach(jar -> delivered.add(jar.getFileName().toString().replaceFirst("\\.jar$", "")));
            }
        }
        assertThat(delivered).isNotEmpty().allSatisfy(jar -> assertThat(listed).containsKey(jar));
        assertThat(listed.values())
                .allSatisfy(component ->
                        assertThat(component.at("/hashes/0/content").asText()).isNotEmpty());
    }
}
