package io.tarpon.servers;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A command line of `--name value` pairs. What the server does not know, and a value outside its bounds, is refused by
/// name.
public final class Arguments {
    private final Map<String, List<String>> values;

    private Arguments(Map<String, List<String>> values) {
        this.values = values;
    }

    /// @param known the names that may come, with their leading dashes
    public static Arguments parse(List<String> known, String... args) throws UsageException {
        Map<String, List<String>> values = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            String name = args[i];
            if (!known.contains(name)) {
                throw new UsageException("unknown argument \"" + name + "\", known are " + String.join(" ", known));
            }
            if (i + 1 == args.length) {
                throw new UsageException(name + " needs a value");
            }
            values.merge(name, List.of(args[i + 1]), Arguments::joined);
        }
        return new Arguments(Map.copyOf(values));
    }

    /// Every value of an argument that may be repeated, in the order given.
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    public Optional<String> text(String name) throws UsageException {
        List<String> given = all(name);
        if (given.size() > 1) {
            throw new UsageException(name + " is given " + given.size() + " times, once is enough");
        }
        return given.stream().findFirst();
    }

    public String text(String name, String otherwise) throws UsageException {
        return text(name).orElse(otherwise);
    }

    public String required(String name) throws UsageException {
        return text(name).orElseThrow(() -> new UsageException(name + " is missing"));
    }

    public Path directory(String name) throws UsageException {
        String given = required(name);
        try {
            return Path.of(given).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new UsageException(name + " is no path: " + e.getMessage());
        }
    }

    /// 0 stands for any free port.
    public int port(String name) throws UsageException {
        return (int) number(name, 0, 0, 65_535);
    }

    public long number(String name, long otherwise, long least, long most) throws UsageException {
        Optional<String> given = text(name);
        return given.isEmpty() ? otherwise : bounded(name, given.get(), least, most);
    }

    /// @param what names the value in the message
    public static long bounded(String what, String value, long least, long most) throws UsageException {
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, in the same words as a number out of bounds.
        }
        throw new UsageException(what + " must be a number from " + least + " to " + most + ", not \"" + value + "\"");
    }

    private static List<String> joined(List<String> before, List<String> more) {
        return Stream.concat(before.stream(), more.stream()).toList();
    }
}
