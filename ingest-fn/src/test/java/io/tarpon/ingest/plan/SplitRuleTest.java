package io.tarpon.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitRuleTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "none", "train=1", "a=0.05,b=0.95", "dev=0.000001,train=0.999999"})
    void aRuleHasOneSpelling(String text) {
        assertThat(SplitRule.parse(text).text()).isEqualTo(text);
    }

    @Test
    void rulesThatMeanTheSameAreTheSame() {
        assertThat(SplitRule.parse("val=.2,train=0.80")).isEqualTo(SplitRule.parse("train=0.8,val=0.200"));
        assertThat(SplitRule.parse("val=.2,train=0.80").text()).isEqualTo("train=0.8,val=0.2");
        assertThat(SplitRule.parse("train=1.0").text()).isEqualTo("train=1");
    }

    @Test
    void wordsAndSharesAreRead() {
        assertThat(SplitRule.parse("auto")).isEqualTo(new SplitRule.Auto());
        assertThat(SplitRule.parse("none")).isEqualTo(new SplitRule.None());
        assertThat(SplitRule.parse("val=0.1,train=0.9"))
                .as("the order they are written in does not matter")
                .isEqualTo(SplitRule.parse("train=0.9,val=0.1"));
        assertThat(SplitRule.parse("all=1")).isInstanceOf(SplitRule.Shares.class);
    }

    @Test
    void asManySplitsAsAllowedAreReadAndOneMoreIsRefused() {
        assertThat(SplitRule.parse(equalShares(SplitRule.MAX_SPLITS))).isInstanceOf(SplitRule.Shares.class);
        assertThatThrownBy(() -> SplitRule.parse(equalShares(SplitRule.MAX_SPLITS + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("splits: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Auto",
                "train",
                "train=",
                "train=0.9",
                "train=0.9,val=0.2",
                "train=0.5,train=0.5",
                "train=1.5,val=-0.5",
                "train=1,val=0",
                "train=1e0",
                "train=0x1",
                "train=NaN",
                "Train=1",
                "=1",
                "train=0.9,val=0.1,",
                "train=0.9;val=0.1"
            })
    void whatIsNoRuleSaysWhatWouldBe(String text) {
        assertThatThrownBy(() -> SplitRule.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s).*(train=0.9,val=0.1|must match).*");
    }

    private static String equalShares(int count) {
        // 1/65 has no short decimal: the last one takes the rest.
        var rest = 1.0 - (count - 1) * 0.01;
        return IntStream.range(1, count).mapToObj(i -> "s" + i + "=0.01").collect(Collectors.joining(",")) + ",s0="
                + String.format(java.util.Locale.ROOT, "%.2f", rest);
    }
}
