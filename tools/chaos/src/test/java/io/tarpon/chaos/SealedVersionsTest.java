package io.tarpon.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SealedVersionsTest {
    private static final Map<String, String> CONTENTS = Map.of("a/x.bin", "11", "a/y.bin", "22");
    private static final SealedVersion VERSION =
            new SealedVersion("demo", "v1", List.of(), CONTENTS, new AtomicBoolean());

    private final SealedVersions versions = new SealedVersions();

    SealedVersionsTest() {
        versions.add(VERSION);
        versions.add(new SealedVersion("demo", "v2", List.of(), Map.of(), new AtomicBoolean()));
    }

    @Test
    void theSameContentsAreTheVersionAgain() {
        assertThat(versions.whyNotAgain("demo", "v1", Map.copyOf(CONTENTS))).isEmpty();
    }

    @Test
    void aChangedFileIsNamed() {
        assertThat(versions.whyNotAgain("demo", "v1", Map.of("a/x.bin", "11", "a/y.bin", "33")))
                .hasValueSatisfying(why -> assertThat(why).contains("a/y.bin").contains("v1"));
    }

    @Test
    void aNewFileAndOneThatIsGoneAreNamed() {
        assertThat(versions.whyNotAgain("demo", "v1", Map.of("a/x.bin", "11", "a/y.bin", "22", "a/z.bin", "33")))
                .hasValueSatisfying(why -> assertThat(why).contains("a/z.bin"));
        assertThat(versions.whyNotAgain("demo", "v1", Map.of("a/y.bin", "22")))
                .hasValueSatisfying(why -> assertThat(why).contains("a/x.bin"));
    }

    @Test
    void aVersionThatIsNotThereIsNoAnswer() {
        assertThat(versions.whyNotAgain("demo", "v3", CONTENTS)).isPresent();
        assertThat(versions.whyNotAgain("other", "v1", CONTENTS)).isPresent();
        versions.remove(VERSION);
        assertThat(versions.whyNotAgain("demo", "v1", CONTENTS)).isPresent();
    }
}
