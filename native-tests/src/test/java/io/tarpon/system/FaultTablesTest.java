package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The tables of faults and of bad input name tests that there are.
class FaultTablesTest {
    private static final Path PRODUCT = Path.of(System.getProperty("tarpon.product", ".."));
    private static final Pattern ROW = Pattern.compile("\\| ([FB][0-9]+)? *\\|.*\\| `(\\w+\\.\\w+)` *\\|");
    private static final Pattern METHOD = Pattern.compile("    (?:public )?void (\\w+)\\(.*");
    private static final Pattern TEST = Pattern.compile("\\s*@(?:Test|ParameterizedTest|RepeatedTest)\\b.*");

    @Test
    void everyNameIsThatOfATest() throws IOException {
        var named = new TreeSet<String>();
        for (var row : rows()) {
            named.add(ROW.matcher(row).replaceFirst("$2"));
        }
        assertThat(named).hasSizeGreaterThan(100);
        assertThat(tests()).containsAll(named);
    }

    @Test
    void everyRowEndsInATestAndEveryNumberIsThereOnce() throws IOException {
        var numbers = new ArrayList<String>();
        for (var row : rows()) {
            var parts = ROW.matcher(row);
            assertThat(parts.matches()).as(row).isTrue();
            if (parts.group(1) != null) {
                numbers.add(parts.group(1));
            }
        }
        assertThat(numbers).isNotEmpty().doesNotHaveDuplicates();
    }

    /// Of both tables, without their heads.
    private static List<String> rows() throws IOException {
        try (var lines = Files.lines(PRODUCT.resolve("native-tests/FAULTS.md"))) {
            return lines.filter(line -> line.startsWith("|") && !line.startsWith("| # ") && !line.startsWith("|--"))
                    .toList();
        }
    }

    /// `Class.method` of every test of every module.
    private static Set<String> tests() throws IOException {
        var tests = new HashSet<String>();
        for (var folder : testFolders()) {
            try (var files = Files.walk(folder)) {
                for (var file :
                        files.filter(file -> file.toString().endsWith(".java")).toList()) {
                    tests.addAll(testsOf(file));
                }
            }
        }
        return tests;
    }

    private static List<Path> testFolders() throws IOException {
        try (var modules = Files.walk(PRODUCT, 2)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    /// A method is a test where its annotations, which follow the last empty line, say so.
    private static Set<String> testsOf(Path file) throws IOException {
        var name = file.getFileName().toString().replace(".java", "");
        var tests = new HashSet<String>();
        var annotated = false;
        for (var line : Files.readAllLines(file)) {
            annotated |= TEST.matcher(line).matches();
            annotated &= !line.isBlank();
            var method = METHOD.matcher(line);
            if (method.matches() && annotated) {
                tests.add(name + "." + method.group(1));
            }
        }
        return tests;
    }
}
