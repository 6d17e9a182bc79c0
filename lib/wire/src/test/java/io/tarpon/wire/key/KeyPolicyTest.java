package io.tarpon.wire.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.Digests;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyPolicyTest {
    /// The regular expression of WebDataset's `skip_meta`, matched at the beginning of a name.
    private static final Pattern WEBDATASET_META = Pattern.compile("^__[^/]*__($|/)");

    @ParameterizedTest
    @CsvSource({
        "a/b/c.jpg, a/b/c, jpg",
        "a.b/c.seg.png, a.b/c, seg.png",
        "x..jpg, x, .jpg",
        "a/b.JPG, a/b, jpg",
        "A/B.Jpg, A/B, jpg",
        "a b.cls, a b, cls",
        "../x.jpg, ../x, jpg",
        "./x.jpg, ./x, jpg",
        "/x.jpg, /x, jpg",
        "a//x.jpg, a//x, jpg",
        "x.tar.gz, x, tar.gz",
        "x.a b, x, a_b",
        "x.a+B, x, a_b",
        "x.é, x, __",
        "x.\u212a, x, ___",
    })
    void memberIsSplitAtTheFirstDotOfTheLastComponent(String source, String key, String finalExtension) {
        assertThat(KeyPolicy.classify(source)).isInstanceOfSatisfying(Named.Member.class, member -> {
            assertThat(member.sampleKey()).isEqualTo(key);
            assertThat(member.finalExtension()).isEqualTo(finalExtension);
            assertThat(member.sampleKey() + '.' + member.extension()).isEqualTo(source);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "c, no-extension",
        "a/b, no-extension",
        "a.b/c, no-extension",
        "x., no-extension",
        ".hidden, dot-file",
        ".hidden.jpg, dot-file",
        "a/.hidden, dot-file",
        "a/..., dot-file",
        ".git/HEAD, dot-file",
        ".git/x.jpg, dot-file",
        "a/.b/c/x.jpg, dot-file",
        "..a/x.jpg, dot-file",
        "a/, not-a-regular-file",
        "a/b.jpg/, not-a-regular-file",
        "'', not-a-regular-file",
    })
    void nameAloneCanLeaveAFileOut(String source, String reason) {
        assertThat(KeyPolicy.classify(source))
                .isInstanceOfSatisfying(
                        Named.LeftOut.class,
                        out -> assertThat(out.reason().wireName()).isEqualTo(reason));
    }

    @Test
    void loneSurrogateIsUndecodableAndAPairIsNot() {
        assertThat(KeyPolicy.classify("a\ud800.jpg")).isEqualTo(new Named.LeftOut(LeftOutReason.UNDECODABLE_NAME));
        assertThat(KeyPolicy.classify("\udc00\ud800.jpg")).isEqualTo(new Named.LeftOut(LeftOutReason.UNDECODABLE_NAME));
        assertThat(KeyPolicy.classify("\ud83d\ude00.jpg")).isInstanceOf(Named.Member.class);
    }

    @Test
    void extensionOver32BytesIsCutAndHashed() {
        String fits = "a".repeat(32);
        assertThat(KeyPolicy.finalExtension(fits)).isEqualTo(fits);
        String hash = Digests.sha256Hex("a".repeat(33).getBytes(UTF_8)).substring(0, 16);
        assertThat(KeyPolicy.finalExtension("A".repeat(33))).isEqualTo("a".repeat(15) + '-' + hash);
        String sixteenPairs = "é".repeat(16);
        assertThat(KeyPolicy.finalExtension(sixteenPairs)).isEqualTo("_".repeat(32));
        assertThat(KeyPolicy.finalExtension(sixteenPairs + 'x'))
                .startsWith("_".repeat(15) + '-')
                .hasSize(32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "a/b", "a.b/c", "A-Z_0.9/x", "__x", "x__", "___", "r", "rr/x", "a/r/x", "...a/x"})
    void plainKeysAreKept(String key) {
        assertThat(KeyPolicy.keeps(key)).isTrue();
        assertThat(KeyPolicy.tarKey(key, List.of("jpg"))).isEqualTo(key);
        assertThat(KeyPolicy.isTarKey(key)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/x",
                "a//b",
                "./x",
                "../x",
                "a/../x",
                "a b",
                "é",
                "a\0b",
                "a\nb",
                "a:b",
                "__x__",
                "____",
                "__x__/y",
                "a/__x__/y",
                "a/__x__",
                "r/x",
                "r/x-0123456789abcdef",
                "a\\b",
                "a'b",
                "\ud83d\ude00"
            })
    void anyOtherKeyIsRenamed(String key) {
        assertThat(KeyPolicy.keeps(key)).isFalse();
        String hash = Digests.sha256Hex(key.getBytes(UTF_8)).substring(0, 16);
        assertThat(KeyPolicy.tarKey(key, List.of("jpg"))).startsWith("r/").endsWith('-' + hash);
    }

    @Test
    void renamedKeyShowsTheLastComponentByteByByte() {
        assertThat(KeyPolicy.renamed("folder/caf\u00e9 1"))
                .startsWith("r/caf___1-")
                .hasSize(2 + 7 + 1 + 16);
        assertThat(KeyPolicy.renamed("x".repeat(60)))
                .startsWith("r/" + "x".repeat(48) + '-')
                .hasSize(67);
    }

    @Test
    void nameOf100BytesFitsAndOneMoreRenamesTheWholeSample() {
        String key = "k".repeat(94);
        assertThat(KeyPolicy.tarKey(key, List.of("cls", "json1"))).isEqualTo(key);
        assertThat(KeyPolicy.tarKey(key, List.of("cls", "json12"))).startsWith("r/kkk");
    }

    @Test
    void nameThatWebDatasetTakesForItsOwnIsRenamed() {
        assertThat(KeyPolicy.tarKey("__a", List.of("b__"))).startsWith("r/__a-");
        assertThat(KeyPolicy.tarKey("d/__a", List.of("b__"))).isEqualTo("d/__a");
    }

    @Test
    void everyNameCanStandInATarAndNoTwoKeysCollide() {
        long seed = 20261121;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String alphabet = "ab._-/ \u00e9\n__rR9";
        Map<String, String> seen = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            StringBuilder source = new StringBuilder();
            int length = 1 + random.nextInt(random.nextInt(20) == 0 ? 150 : 14);
            for (int c = 0; c < length; c++) {
                source.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            if (KeyPolicy.classify(source.toString()) instanceof Named.Member member) {
                checkMember(member, seen);
            }
        }
        assertThat(seen).hasSizeGreaterThan(1000);
    }

    private static void checkMember(Named.Member member, Map<String, String> seen) {
        String key = KeyPolicy.tarKey(member.sampleKey(), List.of(member.finalExtension()));
        String name = key + '.' + member.finalExtension();
        assertThat(name).matches("[A-Za-z0-9_.\\-/]{3,100}").doesNotMatch(WEBDATASET_META);
        assertThat(KeyPolicy.isTarKey(key)).as(key).isTrue();
        assertThat(KeyPolicy.isFinalExtension(member.finalExtension())).isTrue();
        assertThat(seen.merge(key, member.sampleKey(), (old, now) -> old)).isEqualTo(member.sampleKey());
        assertThat(KeyPolicy.classify(name))
                .isEqualTo(new Named.Member(key, member.finalExtension(), member.finalExtension()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"r/x", "r/-0123456789abcdef", "r/a b-0123456789abcdef", "r/a-0123456789abcdeF", "r/a/b"})
    void tarKeyBelowRIsOnlyOfTheRenamedForm(String key) {
        assertThat(KeyPolicy.isTarKey(key)).isFalse();
        assertThat(KeyPolicy.isTarKey("r/a-0123456789abcdef")).isTrue();
    }

    @Test
    void everyReasonIsFoundByItsWireName() {
        for (LeftOutReason reason : LeftOutReason.values()) {
            assertThat(LeftOutReason.ofWireName(reason.wireName())).contains(reason);
        }
        assertThat(LeftOutReason.ofWireName("other")).isEmpty();
    }
}
