package io.tarpon.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What each overlay renders is right in itself, and fits the services.
class ManifestsTest {
    static final List<Check> CHECKS = List.of(
            new Schemas(),
            new Selectors(),
            new Ports(),
            new References(),
            new Configuration(),
            new Folders(),
            new Sizes(),
            new Topics(),
            new Acls(),
            new Scaling(),
            new Stops(),
            new PodSecurity(),
            new Network());

    static Stream<String> overlays() {
        return Manifests.overlays().stream();
    }

    /// What kustomize cannot make of the rules is printed by a script.
    @Test
    void alertRulesAreAPrometheusRule() throws IOException, InterruptedException {
        var script = Product.ROOT.resolve("k8s/components/monitoring/rules.sh");
        var process = new ProcessBuilder("bash", script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var rules = Manifests.read(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(rules).singleElement().extracting(Item::title).isEqualTo("PrometheusRule/tarpon");
        assertThat(rules.getFirst().at("spec.groups")).isNotEmpty();
        assertThat(new Schemas().findings(new Manifests("rules", rules))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("overlays")
    void nothingIsFound(String overlay) {
        var manifests = Manifests.render(overlay);
        assertThat(CHECKS.stream()
                        .flatMap(check -> check.findings(manifests).stream().map(it -> check.name() + ": " + it)))
                .isEmpty();
    }
}
