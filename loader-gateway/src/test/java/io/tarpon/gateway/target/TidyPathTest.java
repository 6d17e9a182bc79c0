package io.tarpon.gateway.target;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TidyPathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/v1",
                "/v1/datasets",
                "/v1/datasets/a.b/v1",
                "/.well-known/x",
                "/a/..b",
                "/a/b..",
                "/a%20b",
                "/%2",
                "/%2g",
                "/...",
            })
    void whatAllReadAlikeIsTidy(String path) {
        assertThat(TidyPath.isTidy(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//",
                "/a/",
                "//a",
                "/a//b",
                "/.",
                "/..",
                "/a/.",
                "/a/..",
                "/./a",
                "/a/../b",
                "/%2e",
                "/a/%2E%2e/b",
                "/a%2fb",
                "/a%2Fb",
                "/a%5cb",
                "/a%5Cb",
                "/a\\b",
                "/a\nb/",
            })
    void whatSomeWouldTidyUpIsNot(String path) {
        assertThat(TidyPath.isTidy(path)).isFalse();
    }
}
