package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.store.ConfiguredObject;
import io.tarpon.store.ObjectStamp;
import io.tarpon.wire.DatasetName;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MarkerNameTest {
    private static final ObjectStamp STAMP = new ObjectStamp("e", Instant.EPOCH, null);

    @ParameterizedTest
    @CsvSource({
        "birds/_SUCCESS, birds",
        "/_SUCCESS, ''",
        "../_SUCCESS, ..",
        "_SUCCESS,",
        "birds/_SUCCESS/,",
        "birds/x/_SUCCESS,",
        "birds//_SUCCESS,",
        "birds/_success,",
        "birds/a_SUCCESS,",
        "birds,",
    })
    void aMarkerLiesDirectlyInAFolderOfTheSource(String key, String folder) {
        var found = new MarkerName("_SUCCESS").folderOf(new ConfiguredObject("raw", key));
        assertThat(found.orElse(null)).isEqualTo(folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "done.txt", ".done", "a\nb"})
    void aNameThatCouldBeAMembersStopsTheStart(String name) {
        assertThatThrownBy(() -> new MarkerName(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tarpon.ingest.marker");
    }

    /// What yesterday's process asked for must be what today's asks for.
    @Test
    void theIdOfARequestIsAsItWas() {
        var marker = new MarkerName("_SUCCESS").of("raw", new DatasetName("birds"));
        var stamp = new ObjectStamp("d41d8cd98f00b204e9800998ecf8427e", Instant.parse("2026-05-01T10:00:00Z"), null);
        assertThat(marker.requestId(stamp)).isEqualTo("marker-raw-birds-72a8023a83a53eccb58b39620f1920d5");
    }

    @Test
    void theLongestNamesMakeAnIdThatMetadataTakes() {
        var marker = new MarkerName("_SUCCESS").of("s".repeat(63), new DatasetName("d".repeat(63)));
        assertThat(marker.requestId(STAMP)).hasSizeLessThanOrEqualTo(256);
    }

    @Test
    void markersOfTwoSourcesOrDatasetsAreTwoRequests() {
        var name = new MarkerName("_SUCCESS");
        assertThat(name.of("a", new DatasetName("b-c")).requestId(STAMP))
                .isNotEqualTo(name.of("a-b", new DatasetName("c")).requestId(STAMP));
    }
}
