package io.tarpon.cluster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamespacesTest {
    /// What Linux takes for the name of an interface.
    private static final int MOST_CHARACTERS = 15;

    private static ClusterPaths paths(String state) {
        return new ClusterPaths(Path.of(state), Path.of("/a checkout"));
    }

    @Test
    void aStateFolderHasItsNamesInEveryRunAndAnotherHasOthers() {
        var id = Namespaces.id(paths("/a state"));
        assertThat(id).matches("[0-9a-f]{8}").isEqualTo(Namespaces.id(paths("/a state")));
        assertThat(id).isNotEqualTo(Namespaces.id(paths("/another state")));
        assertThat(Namespaces.subnets(paths("/a state")))
                .isEqualTo(Namespaces.subnets(paths("/a state")))
                .hasSizeGreaterThan(20)
                .allMatch(subnet -> subnet.matches("10\\.[0-9]{1,3}\\.[0-9]{1,3}"));
    }

    @Test
    void theLargestClusterFitsIntoNamesAndAddresses() {
        var shape = new ClusterShape(
                StoreKind.S3,
                2,
                ClusterShape.MOST_METADATA_REPLICAS,
                LogPlace.KAFKA,
                new Layout(Layout.MOST_NODES, Layout.MOST_GATEWAYS, true));
        var names = ClusterPlan.names(shape);
        var namespaces = new Namespaces("0a1b2c3d", "10.9.8", names);
        var taken = new ArrayList<>(List.of(namespaces.ownAddress()));
        for (var name : names) {
            assertThat(namespaces.link(name)).hasSizeLessThanOrEqualTo(MOST_CHARACTERS);
            taken.add(namespaces.host(name));
        }
        assertThat(taken).doesNotHaveDuplicates().doesNotContain("10.9.8.0", "10.9.8.255");
        assertThat(namespaces.bridgeAddress()).isEqualTo("02:54:0a:1b:2c:3d");
    }

    @Test
    void aMembersLinkIsFoundByItsAddress() {
        var namespaces = new Namespaces("0a1b2c3d", "10.9.8", List.of("kafka", "block-svc-1"));
        var member =
                Member.of("block-svc-1", "http://" + namespaces.host("block-svc-1") + ":7000", List.of(), Map.of());
        assertThat(Namespaces.link("0a1b2c3d", member))
                .isEqualTo(namespaces.link("block-svc-1"))
                .isEqualTo("tp0a1b2c3d-3");
    }

    @Test
    void whoIsNotOfTheClusterHasNoAddress() {
        assertThatThrownBy(() -> new Namespaces("0a1b2c3d", "10.9.8", List.of("kafka")).host("s3"))
                .hasMessage("s3 has no namespace");
    }

    @ParameterizedTest
    @CsvSource({"100mbit,''", "'',5ms", "1gbit,250us"})
    void aSlowLinkHasARateOrADelay(String rate, String delay) {
        assertThat(new LinkChange.Slow(rate, delay).rate()).isEqualTo(rate);
    }

    @ParameterizedTest
    @CsvSource({"'',''", "100,''", "0mbit,''", "'',5", "'',5ms loss 10%", "'100mbit\nlink del eth0',''"})
    void whatIsNoRateAndNoDelayIsRefused(String rate, String delay) {
        assertThatThrownBy(() -> new LinkChange.Slow(rate.translateEscapes(), delay))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 33})
    void aLayoutHasAtLeastOneNodeAndNotTooMany(int nodes) {
        assertThatThrownBy(() -> Layout.USUAL.withNodes(nodes)).hasMessageContaining(nodes + " nodes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 9})
    void aLayoutHasAtLeastOneGatewayAndNotTooMany(int gateways) {
        assertThatThrownBy(() -> Layout.USUAL.withGateways(gateways)).hasMessageContaining(gateways + " gateways");
    }
}
