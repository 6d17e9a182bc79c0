package io.tarpon.gateway.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EpochPathTest {
    private static final String EPOCH = "/e/demo/v1/train/7/3/";

    private static EpochTarget.Thing thing(String end) {
        return EpochPath.parse(EPOCH + end).thing();
    }

    @Test
    void aRankAndAWorkerHaveBodies() {
        assertThat(EpochPath.parse(EPOCH + "1of4.tar"))
                .isEqualTo(new EpochTarget(
                        new DatasetName("demo"),
                        new VersionId(1),
                        new SplitName("train"),
                        7,
                        3,
                        EpochTarget.Tar.whole(1, 4),
                        "/train/7/3/1of4.tar"));
        assertThat(thing("1of4/7of8.tar")).isEqualTo(new EpochTarget.Tar(1, 4, 7, 8));
        assertThat(thing("999999of1000000/999999of1000000.tar"))
                .isEqualTo(new EpochTarget.Tar(999_999, 1_000_000, 999_999, 1_000_000));
        assertThat(thing("0of1.tar").route()).isEqualTo("epoch");
    }

    @Test
    void theOnlyWorkerHasTheRanksBody() {
        assertThat(thing("1of4/0of1.tar")).isEqualTo(thing("1of4.tar"));
    }

    @Test
    void aRankHasAManifestAndAnEpochHasPositions() {
        assertThat(thing("1of4.json")).isEqualTo(new EpochTarget.Manifest(1, 4));
        assertThat(thing("1of4.json").route()).isEqualTo("epoch-manifest");
        assertThat(thing("positions")).isEqualTo(new EpochTarget.Positions());
        assertThat(thing("positions").route()).isEqualTo("positions");
    }

    @Test
    void latestHasNoNumberAndKeepsThePathBehindIt() {
        var target = EpochPath.parse("/e/demo/latest/train/7/3/1of4/0of1.tar");
        assertThat(target.version()).isNull();
        assertThat(target.rest()).isEqualTo("/train/7/3/1of4/0of1.tar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1of4.tar", "1of4/7of8.tar", "0of1.json", "positions"})
    void aThingReadsBackFromItsPath(String end) {
        var target = EpochPath.parse(EPOCH + end);
        assertThat(target.folder(new VersionId(1)) + target.thing().path()).isEqualTo(EPOCH + end);
    }

    @Test
    void seedAndEpochGoUpToTheLastBelow2To63() {
        var target = EpochPath.parse("/e/demo/v1/train/9223372036854775807/9223372036854775807/positions");
        assertThat(target.seed()).isEqualTo(Long.MAX_VALUE);
        assertThat(target.epoch()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "0of0.tar, world '0'",
                "0of0.json, world '0'",
                "0of1000001.tar, world '1000001' is not a decimal from 1 to 1000000",
                "4of4.tar, there is no rank 4 with world 4: there are the ranks 0 to 3",
                "4of4.json, there is no rank 4 with world 4",
                "1of1.tar, only rank 0",
                "9223372036854775807of4.tar, there is no rank 9223372036854775807",
                "9223372036854775808of4.tar, rank '9223372036854775808'",
                "18446744073709551616of4.tar, rank '18446744073709551616'",
                "0of4294967297.tar, world '4294967297'",
                "-1of4.tar, rank '-1'",
                "0of-4.tar, world '-4'",
                "+1of4.tar, rank '+1'",
                "01of4.tar, rank '01'",
                "0of04.tar, world '04'",
                "%30of4.tar, rank '%30'",
                "0of%34.tar, world '%34'",
                "0of4%2F0of1.tar, world '4%2F0of1'",
                "٠of4.tar, rank '٠'",
                "of4.tar, rank ''",
                "0of.tar, world ''",
                "0of4of4.tar, world '4of4'",
                "1.0of4.tar, rank '1.0'",
                "0of4 .tar, world '4 '",
                "0of4/2of2.tar, there is no worker 2 with workers 2: there are the workers 0 to 1",
                "0of4/0of0.tar, workers '0'",
                "0of4/-1of2.tar, worker '-1'",
                "0of4/0of02.tar, workers '02'",
                "4of4/0of2.tar, there is no rank 4",
            })
    void aBadNumberIsNamedWithItsValue(String end, String words) {
        requireRefused(ProblemType.BAD_PARAMETER, words, () -> thing(end));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "positions/",
                "positions/x",
                "Positions",
                "positions.json",
                "0of4",
                "0of4/",
                "0of4.tar/",
                "0of4.TAR",
                "0OF4.tar",
                "0-4.tar",
                ".tar",
                ".json",
                "/0of4.tar",
                "0of4//0of2.tar",
                "0of4/0of2.json",
                "0of4/0of2.tar/",
                "0of4/positions",
                "../0/0of4.tar",
            })
    void whatIsNoUrlOfAnEpochIsNotFound(String end) {
        requireRefused(ProblemType.NOT_FOUND, "0of4.tar for rank 0 of 4", () -> thing(end));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/e/", "/e/demo", "/e/demo/v1/train/7", "/e/demo/v1/train/7/0", "/e/demo/v1/train/0of4.tar"})
    void aPathThatEndsTooEarlyIsNotFound(String path) {
        requireRefused(ProblemType.NOT_FOUND, "there is nothing at " + path, () -> EpochPath.parse(path));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "/e/De mo/v1/train/7/0/0of1.tar, dataset 'De mo'",
                "/e//v1/train/7/0/0of1.tar, dataset ''",
                "/e/demo/v01/train/7/0/0of1.tar, version 'v01'",
                "/e/demo//train/7/0/0of1.tar, version ''",
                "/e/demo/v1/TRAIN/7/0/0of1.tar, split 'TRAIN'",
                "/e/demo/v1//7/0/0of1.tar, split ''",
                "/e/demo/v1/tr%61in/7/0/0of1.tar, split 'tr%61in'",
                "/e/demo/v1/train//0/0of1.tar, seed ''",
                "/e/demo/v1/train/07/0/0of1.tar, seed '07'",
                "/e/demo/v1/train/-7/0/0of1.tar, seed '-7'",
                "/e/demo/v1/train/9223372036854775808/0/0of1.tar, seed '9223372036854775808'",
                "/e/demo/v1/train/%37/0/0of1.tar, seed '%37'",
                "/e/demo/v1/train/7//0of1.tar, epoch ''",
                "/e/demo/v1/train/7/+1/0of1.tar, epoch '+1'",
                "/e/demo/v1/train/7/00/positions, epoch '00'",
                "/e/demo/v1/train/7/18446744073709551615/positions, epoch '18446744073709551615'",
            })
    void aBadNameIsABadParameter(String path, String words) {
        requireRefused(ProblemType.BAD_PARAMETER, words, () -> EpochPath.parse(path));
    }

    @Test
    void thingsThatCannotBeAreNotMade() {
        requireRefused(ProblemType.BAD_PARAMETER, "world 0", () -> EpochTarget.Tar.whole(0, 0));
        requireRefused(ProblemType.BAD_PARAMETER, "workers 1000001", () -> new EpochTarget.Tar(0, 1, 0, 1_000_001));
        requireRefused(ProblemType.BAD_PARAMETER, "no worker -1", () -> new EpochTarget.Tar(0, 1, -1, 2));
        requireRefused(ProblemType.BAD_PARAMETER, "no rank 4", () -> new EpochTarget.Manifest(4, 4));
    }

    private static void requireRefused(ProblemType type, String words, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(type))
                .hasMessageContaining(words);
    }
}
