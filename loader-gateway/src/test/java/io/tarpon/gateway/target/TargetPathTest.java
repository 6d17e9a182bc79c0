package io.tarpon.gateway.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetPathTest {
    private static ByteTarget.Thing thing(String rest) {
        return TargetPath.parse("/d/demo/v1/train/" + rest).thing();
    }

    @Test
    void aShardAndItsDaliIndexAreNamed() {
        assertThat(thing("shard-000012.tar")).isEqualTo(new ByteTarget.Tar(new ShardName(12)));
        assertThat(thing("shard-000012.idx")).isEqualTo(new ByteTarget.Idx(new ShardName(12)));
    }

    @Test
    void latestHasNoNumberAndKeepsThePathBehindIt() {
        var target = TargetPath.parse("/d/demo/latest/train/keys/a%2Fb.jpg");
        assertThat(target.version()).isNull();
        assertThat(target.rest()).isEqualTo("/train/keys/a%2Fb.jpg");
    }

    @Test
    void anExtensionIsEverythingBehindTheFirstDotOfTheLastComponent() {
        assertThat(thing("samples/7.seg.png")).isEqualTo(new ByteTarget.Ordinal(7, "seg.png"));
        assertThat(thing("keys/a/b/c.seg.png")).isEqualTo(new ByteTarget.Key("a/b/c", "seg.png"));
        assertThat(thing("keys/a.b/c")).isEqualTo(new ByteTarget.Key("a.b/c", null));
    }

    @Test
    void aKeyIsDecodedOnceAndNeverNormalised() {
        assertThat(thing("keys/a%2Fb%252F+c.x")).isEqualTo(new ByteTarget.Key("a/b%2F+c", "x"));
        assertThat(thing("keys/..//a%2F%2Fb")).isEqualTo(new ByteTarget.Key("..//a//b", null));
    }

    @ParameterizedTest
    @CsvSource({
        "shard-0.tar, UNKNOWN_SHARD",
        "shard-0000000.tar, UNKNOWN_SHARD",
        "shard-000000.TAR, NOT_FOUND",
        "shard-000000.tar/x, NOT_FOUND",
        "nothing, NOT_FOUND",
        "samples/, BAD_PARAMETER",
        "samples/007, BAD_PARAMETER",
        "samples/-1, BAD_PARAMETER",
        "samples/9223372036854775808, BAD_PARAMETER",
        "samples/1/2, BAD_PARAMETER",
        "keys/%zz, BAD_PARAMETER",
        "keys/%c3%28, BAD_PARAMETER",
        "keys/a%2, BAD_PARAMETER",
    })
    void whatNamesNothingIsRefused(String rest, ProblemType type) {
        assertThatThrownBy(() -> thing(rest))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(type));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/d/De mo/v1/train/urls.txt",
                "/d/demo/v01/train/urls.txt",
                "/d/demo/v1/TRAIN/urls.txt",
                "/d/../x/v1/train/urls.txt",
                "/d/..%2Fx/v1/train/urls.txt",
                "/d//v1/train/urls.txt",
                "/d/d\u0435mo/v1/train/urls.txt", // a Cyrillic e
                "/d/d%D0%B5mo/v1/train/urls.txt",
                "/d/demo%00/v1/train/urls.txt",
                "/d/demo/v1/..%2Ftrain/urls.txt",
                "/d/demo/v9999999999999999999/train/urls.txt"
            })
    void aBadNameIsABadParameter(String path) {
        assertBadName(path);
    }

    @Test
    void aNameHasAtMost63Characters() {
        assertThat(TargetPath.parse("/d/" + "x".repeat(63) + "/v1/train/urls.txt")
                        .dataset()
                        .value())
                .hasSize(63);
        assertBadName("/d/" + "x".repeat(64) + "/v1/train/urls.txt");
        assertBadName("/d/" + "x".repeat(300) + "/v1/train/urls.txt");
        assertBadName("/d/demo/v1/" + "x".repeat(300) + "/urls.txt");
    }

    private static void assertBadName(String path) {
        assertThatThrownBy(() -> TargetPath.parse(path))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.BAD_PARAMETER));
    }
}
