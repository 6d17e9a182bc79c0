package io.tarpon.k8s;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/// The keys below `tarpon.` of one `@ConfigMapping` interface, read from its source: no module may depend on those of
/// the services.
///
/// @param defaults of all keys, empty where there is none; a map's have `*` for the name: `tarpon.sources.*.root`
/// @param required those that must be set
record Keys(Map<String, String> defaults, Set<String> required) {
    private static final String PREFIX = "tarpon";
    private static final List<Path> LIBRARIES =
            List.of(Product.ROOT.resolve("lib/store/src/main/java"), Product.ROOT.resolve("lib/service/src/main/java"));
    private static final Pattern QUOTED = Pattern.compile(".*?\"(.*)\"");
    private static final Pattern UPPER = Pattern.compile("(?<=[a-z0-9])([A-Z])");

    static Keys of(Path source) {
        var reading = new Reading();
        reading.parse(source);
        var root = source.getFileName().toString().replace(".java", "");
        reading.collect(root, PREFIX);
        return new Keys(reading.defaults, reading.required);
    }

    /// As MicroProfile Config maps the key: `TARPON_BLOCK_DATA_DIRS`.
    static String environment(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    private static final class Reading {
        private final Map<String, ClassTree> types = new HashMap<>();
        private final Set<Path> folders = new HashSet<>();
        private final Map<String, String> defaults = new TreeMap<>();
        private final Set<String> required = new TreeSet<>();

        void parse(Path source) {
            var compiler = ToolProvider.getSystemJavaCompiler();
            if (!Files.isRegularFile(source)) {
                throw new AssertionError(source + " is not there: where are the settings of that service now?");
            }
            try (var files = compiler.getStandardFileManager(null, null, null)) {
                var task =
                        (JavacTask) compiler.getTask(null, files, null, null, null, files.getJavaFileObjects(source));
                for (var unit : task.parse()) {
                    unit.getTypeDecls().forEach(this::index);
                    unit.getImports().stream()
                            .map(used -> used.getQualifiedIdentifier().toString())
                            .filter(used -> used.startsWith("io.tarpon.") && used.endsWith("Config"))
                            .forEach(this::shared);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// A group that services share, with those beside it, of which it may be made.
        private void shared(String name) {
            for (var library : LIBRARIES) {
                var folder = library.resolve(name.replace('.', '/')).getParent();
                if (folders.add(folder) && Files.isDirectory(folder)) {
                    try (var files = Files.newDirectoryStream(folder, "*Config.java")) {
                        files.forEach(this::parse);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        }

        private void index(Tree declaration) {
            if (declaration instanceof ClassTree type) {
                types.put(type.getSimpleName().toString(), type);
                type.getMembers().forEach(this::index);
            }
        }

        void collect(String type, String prefix) {
            var found = types.get(type);
            found.getImplementsClause().forEach(parent -> collect(parent.toString(), prefix));
            for (var member : found.getMembers()) {
                if (member instanceof MethodTree method && method.getBody() == null) {
                    add(method, prefix);
                }
            }
        }

        private void add(MethodTree method, String prefix) {
            var key = argument(method, "WithParentName").isPresent() ? prefix : prefix + "." + kebab(method);
            var type = method.getReturnType();
            var arguments = new ArrayList<String>();
            if (type instanceof ParameterizedTypeTree generic) {
                generic.getTypeArguments().forEach(argument -> arguments.add(argument.toString()));
                type = generic.getType();
            }
            if (types.containsKey(type.toString())) {
                collect(type.toString(), key);
            } else if (type.toString().equals("Map")) {
                collect(arguments.getLast(), key + ".*");
            } else {
                var standard = argument(method, "WithDefault");
                defaults.put(key, standard.orElse(""));
                if (standard.isEmpty() && !type.toString().equals("Optional")) {
                    required.add(key);
                }
            }
        }

        private static String kebab(MethodTree method) {
            return argument(method, "WithName")
                    .orElseGet(() -> UPPER.matcher(method.getName().toString())
                            .replaceAll("-$1")
                            .toLowerCase(Locale.ROOT));
        }

        /// The string that an annotation is given; empty for one that takes none.
        private static Optional<String> argument(MethodTree method, String annotation) {
            return method.getModifiers().getAnnotations().stream()
                    .filter(it -> it.getAnnotationType().toString().equals(annotation))
                    .map(it -> it.getArguments().isEmpty()
                            ? ""
                            : QUOTED.matcher(it.getArguments().getFirst().toString())
                                    .replaceAll("$1"))
                    .findFirst();
        }
    }
}
