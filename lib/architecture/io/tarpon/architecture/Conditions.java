package io.tarpon.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What ArchUnit has no words for: edges that meet, null-marked packages, words that say nothing.
final class Conditions {
    private static final String ROOT = "io.tarpon.";
    /// The shard index: pure in spite of its name.
    private static final String NO_EDGE = "io.tarpon.wire.index";
    private static final Pattern WORD_BORDER = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[$_]");

    private Conditions() {}

    /// Depends on no other edge package of the same module.
    static ArchCondition<JavaClass> knowNoOtherEdge(Set<String> edges) {
        return new ArchCondition<>("know no other edge of their module") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                Optional<String> own = edge(type, edges);
                for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                    Optional<String> other = edge(dependency.getTargetClass(), edges);
                    if (own.isPresent()
                            && other.isPresent()
                            && !own.equals(other)
                            && module(type).equals(module(dependency.getTargetClass()))) {
                        events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
                    }
                }
            }
        };
    }

    /// Lies in a package whose package-info says `@NullMarked`.
    static ArchCondition<JavaClass> lieInNullMarkedPackage() {
        return new ArchCondition<>("lie in a package with a @NullMarked package-info") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked")) {
                    events.add(SimpleConditionEvent.violated(
                            type,
                            type.getPackageName() + " has no @NullMarked package-info, seen at " + type.getName()));
                }
            }
        };
    }

    /// One of the words is a whole word of the class's own name: `JobManager`, `JobManagers`, but not `Managed`.
    static DescribedPredicate<JavaClass> namedWith(List<String> words) {
        return DescribedPredicate.describe(
                "named with one of " + words,
                type -> WORD_BORDER
                        .splitAsStream(type.getSimpleName())
                        .anyMatch(part ->
                                words.contains(part) || words.stream().anyMatch(word -> part.equals(word + "s"))));
    }

    /// `io.tarpon.gateway.client.pool` is of the edge `client`.
    private static Optional<String> edge(JavaClass type, Set<String> edges) {
        if (!type.getPackageName().startsWith(ROOT) || type.getPackageName().startsWith(NO_EDGE)) {
            return Optional.empty();
        }
        return Pattern.compile("\\.")
                .splitAsStream(type.getPackageName())
                .skip(3)
                .filter(edges::contains)
                .findFirst();
    }

    private static String module(JavaClass type) {
        int end = type.getPackageName().indexOf('.', ROOT.length());
        return end < 0 ? type.getPackageName() : type.getPackageName().substring(0, end);
    }
}
