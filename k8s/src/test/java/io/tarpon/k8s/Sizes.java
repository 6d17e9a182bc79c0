package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a container may use is enough for what it is told to use: memory of its JVM, and the volumes below its folders.
final class Sizes implements Check {
    private static final Pattern HEAP = Pattern.compile("-Xmx(\\w+)");
    private static final Pattern DIRECT = Pattern.compile("-XX:MaxDirectMemorySize=(\\w+)");

    /// For classes, code, stacks and what native libraries take: an estimate, on the safe side of what idle services
    /// hold.
    private static final long OVERHEAD_BYTES = 128L << 20;

    @Override
    public String name() {
        return "sizes";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        for (var pods : manifests.pods()) {
            for (var container : pods.allContainers()) {
                asked(pods, container, findings);
            }
        }
        for (var run : manifests.runs()) {
            memory(run, findings);
            disks(run, findings);
        }
        return findings;
    }

    private static void asked(Pods pods, JsonNode container, List<String> findings) {
        var resources = container.path("resources");
        for (var path : List.of("requests.cpu", "requests.memory", "limits.memory")) {
            if (Item.at(resources, path).isMissingNode()) {
                findings.add(
                        pods.title() + ": container " + container.path("name").asText() + " has no " + path);
            }
        }
        if (bytes(Item.at(resources, "requests.memory")) > bytes(Item.at(resources, "limits.memory"))) {
            findings.add(pods.title() + ": container " + container.path("name").asText()
                    + " asks for more memory than it may have");
        }
    }

    private static void memory(Run run, List<String> findings) {
        var heap = flag(run.settings(), HEAP);
        if (heap.isEmpty()) {
            findings.add(run.title() + ": no -Xmx bounds its heap");
            return;
        }
        // Without a bound a JVM takes as much again.
        var direct = flag(run.settings(), DIRECT).orElse(heap.get());
        var needed = heap.get() + direct + OVERHEAD_BYTES;
        if (run.program().name().equals("metadata-svc")) {
            needed += size(run.value("tarpon.metadata.view-cache"));
        }
        var limit = bytes(Item.at(run.container(), "resources.limits.memory"));
        if (limit < needed) {
            findings.add(
                    run.title() + ": may have " + (limit >> 20) + " MiB, and takes up to " + (needed >> 20) + " MiB");
        }
    }

    private static Optional<Long> flag(Settings settings, Pattern flag) {
        return settings.flags().stream()
                .map(flag::matcher)
                .filter(Matcher::matches)
                .map(found -> size(found.group(1)))
                .reduce((_, last) -> last);
    }

    private static void disks(Run run, List<String> findings) {
        switch (run.program().name()) {
            case "block-svc" -> {
                var folders = run.settings()
                        .set("tarpon.block.data-dirs")
                        .or(() -> run.settings().set("tarpon.block.dir"))
                        .map(all -> List.of(all.split(",", -1)))
                        .orElse(List.of());
                var reserve = size(run.value("tarpon.block.disk-reserve"));
                var each = folders.isEmpty() ? 0 : size(run.value("tarpon.block.capacity")) / folders.size() + reserve;
                folders.forEach(folder -> room(run, folder, each, findings));
            }
            case "ingest-fn" -> {
                if (run.value("mp.messaging.incoming.uploads.enabled").equals("false")) {
                    // It plans nothing.
                    return;
                }
                var plans = Long.parseLong(run.value("tarpon.ingest.parallel"));
                var each = size(run.value("tarpon.ingest.spool-capacity"));
                run.settings()
                        .set("tarpon.ingest.spool-dir")
                        .ifPresent(folder -> room(run, folder, plans * each, findings));
            }
            case "loader-gateway" -> {
                // Twice, and a quarter more; up to three times.
                var layouts = size(run.value("tarpon.gateway.layout-files")) * 9 / 4;
                var plans = size(run.value("tarpon.gateway.plan-files")) * 3;
                run.settings()
                        .set("tarpon.gateway.dir")
                        .ifPresent(folder -> room(run, folder, layouts + plans, findings));
            }
            default -> {}
        }
    }

    private static void room(Run run, String folder, long needed, List<String> findings) {
        var volume = Folders.volume(run.container(), folder);
        var has = Math.max(
                run.pods()
                        .spec()
                        .path("volumes")
                        .valueStream()
                        .filter(it -> it.path("name").asText().equals(volume))
                        .mapToLong(it -> it.has("emptyDir") ? bytes(Item.at(it, "emptyDir.sizeLimit")) : Long.MAX_VALUE)
                        .max()
                        .orElse(0),
                run.pods()
                        .owner()
                        .at("spec.volumeClaimTemplates")
                        .valueStream()
                        .filter(it -> Item.at(it, "metadata.name").asText().equals(volume))
                        .mapToLong(it -> bytes(Item.at(it, "spec.resources.requests.storage")))
                        .max()
                        .orElse(0));
        if (has < needed) {
            findings.add(run.title() + ": below " + folder + " are " + (has >> 20) + " MiB, and it takes up to "
                    + (needed >> 20) + " MiB");
        }
    }

    static long bytes(JsonNode quantity) {
        return quantity.isMissingNode()
                ? 0
                : new Quantity(quantity.asText()).getNumericalAmount().longValue();
    }

    /// As Quarkus, block-svc and a JVM write it: each K, M or G is binary.
    private static long size(String size) {
        var digits = size.replaceAll("\\D.*", "");
        var unit = size.substring(digits.length()).toUpperCase(Locale.ROOT);
        var shift = unit.isEmpty() ? 0 : "KMGT".indexOf(unit.charAt(0)) * 10 + 10;
        return Long.parseLong(digits) << shift;
    }
}
