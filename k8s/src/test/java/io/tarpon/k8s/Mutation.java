package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// A mistake that somebody could make in the manifests.
///
/// @param finding what is to be found then, or the beginning of it
record Mutation(String name, UnaryOperator<Manifests> change, String finding) {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /// @param pointer to what is changed, as a JSON pointer
    static Mutation at(String title, String pointer, String name, Consumer<ObjectNode> change, String finding) {
        return new Mutation(
                title + " " + name,
                manifests -> {
                    if (!(item(manifests, title).json().at(pointer) instanceof ObjectNode found)) {
                        throw new AssertionError(title + " has no object at " + pointer);
                    }
                    change.accept(found);
                    return manifests;
                },
                finding);
    }

    /// @param value in YAML
    static Mutation set(String title, String pointer, String field, String value, String finding) {
        return at(title, pointer, field + " = " + value, node -> node.set(field, yaml(value)), finding);
    }

    static Mutation remove(String title, String pointer, String field, String finding) {
        return at(title, pointer, "without " + field, node -> drop(node, field), finding);
    }

    static Mutation rename(String title, String pointer, String field, String other, String finding) {
        return at(title, pointer, field + " as " + other, node -> node.set(other, drop(node, field)), finding);
    }

    /// @param value of that variable, in YAML; of the first container
    static Mutation variable(String title, String variable, String value, String finding) {
        return new Mutation(
                title + " " + variable + " = " + value,
                manifests -> {
                    variable(item(manifests, title), variable)
                            .removeAll()
                            .put("name", variable)
                            .set("value", yaml(value));
                    return manifests;
                },
                finding);
    }

    static Mutation misspelt(String title, String variable, String other, String finding) {
        return new Mutation(
                title + " " + variable + " as " + other,
                manifests -> {
                    variable(item(manifests, title), variable).put("name", other);
                    return manifests;
                },
                finding);
    }

    static Mutation without(String title, String finding) {
        return new Mutation(
                "no " + title,
                manifests -> new Manifests(
                        manifests.overlay(),
                        manifests.items().stream()
                                .filter(item -> !item.title().equals(title))
                                .toList()),
                finding);
    }

    /// @param pointer to an array
    static Mutation add(String title, String pointer, String value, String finding) {
        return new Mutation(
                title + " " + pointer.substring(pointer.lastIndexOf('/') + 1) + " + " + value,
                manifests -> {
                    array(item(manifests, title), pointer).add(yaml(value));
                    return manifests;
                },
                finding);
    }

    /// @param pointer to an array
    static Mutation cut(String title, String pointer, String without, String finding) {
        return new Mutation(
                title + " " + pointer.substring(pointer.lastIndexOf('/') + 1) + " without " + without,
                manifests -> {
                    var array = array(item(manifests, title), pointer);
                    for (int index = 0; index < array.size(); index++) {
                        if (array.get(index).toString().contains(without)) {
                            array.remove(index);
                            return manifests;
                        }
                    }
                    throw new AssertionError(title + " has no " + without + " at " + pointer);
                },
                finding);
    }

    private static JsonNode drop(ObjectNode node, String field) {
        var dropped = node.remove(field);
        if (dropped == null) {
            throw new AssertionError("there is no " + field + " in " + node);
        }
        return dropped;
    }

    private static Item item(Manifests manifests, String title) {
        return manifests.items().stream()
                .filter(item -> item.title().equals(title))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no " + title));
    }

    private static ArrayNode array(Item item, String pointer) {
        if (item.json().at(pointer) instanceof ArrayNode found) {
            return found;
        }
        throw new AssertionError(item.title() + " has no list at " + pointer);
    }

    private static ObjectNode variable(Item item, String name) {
        for (var variable : array(item, "/spec/template/spec/containers/0/env")) {
            if (variable.path("name").asText().equals(name)) {
                return (ObjectNode) variable;
            }
        }
        throw new AssertionError(item.title() + " sets no " + name);
    }

    private static JsonNode yaml(String text) {
        try {
            return YAML.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
