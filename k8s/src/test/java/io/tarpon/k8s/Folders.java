package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Where a program writes is a volume that it may write to: the root of its files is not. What it reads is there.
final class Folders implements Check {
    /// Native libraries are unpacked there.
    private static final String TEMPORARY = "/tmp";

    private static final List<String> WRITTEN = List.of(
            "tarpon.block.dir",
            "tarpon.block.data-dirs",
            "tarpon.metadata.dir",
            "tarpon.gateway.dir",
            "tarpon.ingest.spool-dir",
            "tarpon.store.directory.root");
    private static final List<String> READ =
            List.of("tarpon.token-file", "kafka.ssl.truststore.location", "smallrye.config.locations");

    @Override
    public String name() {
        return "folders";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        for (var run : manifests.runs()) {
            written(run, TEMPORARY, findings);
            for (var key : WRITTEN) {
                run.settings().set(key).stream()
                        .flatMap(folders -> Arrays.stream(folders.split(",", -1)))
                        .forEach(folder -> written(run, folder, findings));
            }
            for (var key : READ) {
                run.settings().set(key).ifPresent(file -> {
                    if (volume(run.container(), file).isEmpty()) {
                        findings.add(run.title() + ": no volume is mounted where " + key + " is " + file);
                    }
                });
            }
            if (run.pods().isService()) {
                lasting(run, findings);
            }
        }
        return findings;
    }

    private static void written(Run run, String folder, List<String> findings) {
        var mount = mount(run.container(), folder);
        if (mount.isMissingNode() || Schemas.isTrue(mount.path("readOnly"))) {
            findings.add(run.title() + ": writes below " + folder + ", where no volume for that is mounted");
        }
    }

    /// The view of a log and the blocks are to be there after a restart, each replica's own.
    private static void lasting(Run run, List<String> findings) {
        for (var key : List.of("tarpon.block.dir", "tarpon.metadata.dir")) {
            if (run.program().keys().defaults().containsKey(key)) {
                var volume = volume(run.container(), run.value(key));
                if (run.pods()
                        .owner()
                        .at("spec.volumeClaimTemplates")
                        .valueStream()
                        .noneMatch(claim ->
                                Item.at(claim, "metadata.name").asText().equals(volume))) {
                    findings.add(run.title() + ": " + key + " is on no volume that a restart leaves");
                }
            }
        }
    }

    /// Its name; empty where there is none.
    static String volume(JsonNode container, String path) {
        return mount(container, path).path("name").asText();
    }

    private static JsonNode mount(JsonNode container, String path) {
        JsonNode closest = MissingNode.getInstance();
        for (var mount : container.path("volumeMounts").valueStream().toList()) {
            var at = mount.path("mountPath").asText();
            if ((path + "/").startsWith(at + "/")
                    && at.length() > closest.path("mountPath").asText().length()) {
                closest = mount;
            }
        }
        return closest;
    }
}
