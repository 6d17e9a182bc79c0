package io.tarpon.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {
    @ParameterizedTest
    @CsvSource({
        "shard-000000.tar, shard-000000.tar",
        "report.jsonl, report.jsonl",
        "., %2E",
        ".., %2E.",
        ".tmp, %2Etmp",
        "a b, a%20b",
        "é, %C3%A9",
        "100%, 100%25",
        "'', %"
    })
    void aPartIsWrittenAs(String part, String name) {
        assertThat(FileNames.of(part)).containsExactly(name);
        assertThat(FileNames.part(name)).isEqualTo(part);
    }

    @Test
    void aLongPartIsCutIntoNamesThatContinue() {
        var names = FileNames.of("x".repeat(600));
        assertThat(names).containsExactly("x".repeat(240) + "%+", "+" + "x".repeat(240) + "%+", "+" + "x".repeat(120));
    }

    @Test
    void everyPartComesBackAndNoTwoShareTheirNames() {
        long seed = 20260101;
        var random = new Random(seed);
        var parts = new HashSet<String>();
        var written = new HashSet<List<String>>();
        for (int i = 0; i < 5_000; i++) {
            var part = new StringBuilder();
            for (int left = random.nextInt(300); left > 0; left--) {
                part.append("aZ0._-%+é😀 \n\\:*"
                        .codePoints()
                        .skip(random.nextInt(15))
                        .limit(1)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append));
            }
            List<String> names = FileNames.of(part.toString());
            assertThat(names)
                    .as("seed %d", seed)
                    .allSatisfy(name -> assertThat(name).hasSizeLessThan(256).doesNotStartWith("."));
            String joined = "";
            for (String name : names) {
                joined = FileNames.join(joined, name);
            }
            assertThat(FileNames.part(joined)).as("seed %d", seed).isEqualTo(part.toString());
            assertThat(written.add(names)).isEqualTo(parts.add(part.toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%2", "%zz", "%61", "a b", ".x", "%c3%a9", "%FF", "a%"})
    void whatNoPartIsWrittenAsIsRefused(String name) {
        assertThatThrownBy(() -> FileNames.part(name)).isInstanceOf(IllegalArgumentException.class);
    }
}
