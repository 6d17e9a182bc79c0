package io.tarpon.testkit.power;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// What a process did to a folder, and what it said, call by call: for programs that reach the disk by native code,
/// which a [PowerCutDisk] cannot stand under. It runs once, below `strace`; its calls up to any one are then done
/// again on a disk that forgets.
///
/// A call counts from the moment it returned. A call that changes the folder and is not known here fails the reading,
/// and so does a file that is made shorter: what is not modelled is not passed over. Maps of files are not seen.
public final class DiskTrace {
    private static final String CALLS = "openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,lseek,ftruncate,"
            + "truncate,fallocate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,"
            + "unlinkat,mkdir,mkdirat,rmdir,copy_file_range,sendfile";
    private static final Pattern CALL = Pattern.compile("(\\d+) +(\\w+)\\((.*)\\) += (-?\\d+|\\?).*");
    private static final Pattern UNFINISHED = Pattern.compile("(\\d+) +(.*) <unfinished \\.\\.\\.>");
    private static final Pattern RESUMED = Pattern.compile("(\\d+) +<\\.\\.\\. \\w+ resumed>(.*)");
    private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"(\\.\\.\\.)?");
    private static final Pattern OPEN_FILE = Pattern.compile("(\\d+)<([^>]*)>.*");
    private static final Pattern OPEN_FILES = Pattern.compile("\\d+<([^>]*)>");
    private static final String LONGEST_WRITE = Integer.toString(64 << 20);
    private static final long MINUTES = 5;

    private final Path folder;
    private final Path sayings;
    private final List<Step> steps = new ArrayList<>();

    /// Where the next write goes of each open file, by its number.
    private final Map<String, Long> positions = new HashMap<>();

    private final Map<Path, Long> sizes = new HashMap<>();

    private DiskTrace(Path folder, Path sayings) {
        this.folder = folder;
        this.sayings = sayings;
    }

    private sealed interface Step {}

    private record Said(String text) implements Step {}

    private record Made(Path path, boolean isFolder) implements Step {}

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Wrote(Path path, long position, byte[] bytes) implements Step {}

    private record Forced(Path path) implements Step {}

    private record Renamed(Path from, Path to) implements Step {}

    private record Deleted(Path path) implements Step {}

    /// Whether `strace` is to be had, and may look into processes here.
    public static boolean isPossible() throws IOException, InterruptedException {
        try {
            return new ProcessBuilder("strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Runs a command to its end.
    ///
    /// @param folder what it changes there is recorded; it exists, is empty, and its path has no links
    /// @param sayings a file elsewhere; what the process writes there, it says
    /// @param scratch for the record, elsewhere
    public static DiskTrace of(List<String> command, Path folder, Path sayings, Path scratch)
            throws IOException, InterruptedException {
        var record = scratch.resolve("calls");
        var errors = scratch.resolve("errors");
        var traced = new ArrayList<>(List.of("strace", "-f", "--seccomp-bpf", "-y", "-xx", "-s", LONGEST_WRITE));
        traced.addAll(List.of("-e", "trace=" + CALLS, "-o", record.toString()));
        traced.addAll(command);
        var process = new ProcessBuilder(traced)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(errors.toFile())
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("it did not end: " + String.join(" ", command));
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("exit " + process.exitValue() + "\n" + Files.readString(errors));
        }
        var trace = new DiskTrace(folder, sayings);
        trace.read(record);
        return trace;
    }

    /// Changes of the folder and sayings.
    public int steps() {
        return steps.size();
    }

    /// What the process had said by then, line by line.
    public List<String> saidBefore(int step) {
        var said = new StringBuilder();
        for (var one : steps.subList(0, step)) {
            if (one instanceof Said(var text)) {
                said.append(text);
            }
        }
        return said.toString().lines().toList();
    }

    /// The folder as [PowerCutDisk#root] of a disk, before that step.
    public PowerCutDisk diskBefore(int step) throws IOException {
        var disk = new PowerCutDisk();
        for (var one : steps.subList(0, step)) {
            redo(one, disk.root());
        }
        return disk;
    }

    private static void redo(Step step, Path root) throws IOException {
        switch (step) {
            case Said _ -> {}
            case Made(var path, var isFolder) -> {
                if (isFolder) {
                    Files.createDirectory(on(root, path));
                } else {
                    FileChannel.open(on(root, path), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                            .close();
                }
            }
            case Wrote(var path, var position, var bytes) -> {
                try (var file = FileChannel.open(on(root, path), StandardOpenOption.WRITE)) {
                    var _ = file.write(ByteBuffer.wrap(bytes), position);
                }
            }
            case Forced(var path) -> {
                try (var file = FileChannel.open(on(root, path), StandardOpenOption.READ)) {
                    file.force(true);
                }
            }
            case Renamed(var from, var to) -> Files.move(on(root, from), on(root, to));
            case Deleted(var path) -> Files.delete(on(root, path));
        }
    }

    private static Path on(Path root, Path path) {
        var at = root;
        for (var name : path) {
            at = name.toString().isEmpty() ? at : at.resolve(name.toString());
        }
        return at;
    }

    private void read(Path record) throws IOException {
        var begun = new HashMap<String, String>();
        try (var lines = Files.lines(record, UTF_8)) {
            lines.forEach(line -> {
                var unfinished = UNFINISHED.matcher(line);
                if (unfinished.matches()) {
                    begun.put(unfinished.group(1), unfinished.group(2));
                    return;
                }
                var resumed = RESUMED.matcher(line);
                var whole = resumed.matches()
                        ? resumed.group(1) + " " + begun.remove(resumed.group(1)) + resumed.group(2)
                        : line;
                var call = CALL.matcher(whole);
                if (call.matches()
                        && !call.group(4).startsWith("-")
                        && !call.group(4).equals("?")) {
                    add(call.group(2), call.group(3), Long.parseLong(call.group(4)), whole);
                }
            });
        }
    }

    private void add(String call, String arguments, long result, String line) {
        switch (call) {
            case "openat", "open", "creat" -> open(line, arguments, result);
            case "write" -> write(arguments, result);
            case "pwrite64" ->
                inFolder(openFile(arguments)).ifPresent(path -> {
                    var at = arguments.substring(arguments.lastIndexOf(", ") + 2);
                    wrote(path, Long.parseLong(at), texts(arguments).getFirst(), result);
                });
            case "lseek" -> inFolder(openFile(arguments)).ifPresent(_ -> positions.put(number(arguments), result));
            case "fsync", "fdatasync" -> inFolder(openFile(arguments)).ifPresent(path -> steps.add(new Forced(path)));
            case "rename", "renameat", "renameat2" -> {
                var names = texts(arguments);
                var to = inFolder(path(names.get(1)));
                inFolder(path(names.get(0))).ifPresent(from -> rename(from, to.orElseThrow()));
            }
            case "unlink", "unlinkat", "rmdir" ->
                named(arguments).ifPresent(path -> {
                    sizes.remove(path);
                    steps.add(new Deleted(path));
                });
            case "mkdir", "mkdirat" -> named(arguments).ifPresent(path -> steps.add(new Made(path, true)));
            case "ftruncate" ->
                inFolder(openFile(arguments)).ifPresent(path -> {
                    if (Long.parseLong(arguments.substring(arguments.lastIndexOf(", ") + 2)) != size(path)) {
                        throw new IllegalStateException("another length is not modelled: " + line);
                    }
                });
            case "fallocate" ->
                inFolder(openFile(arguments)).ifPresent(_ -> {
                    if (!arguments.contains("FALLOC_FL_KEEP_SIZE")) {
                        throw new IllegalStateException("another length is not modelled: " + line);
                    }
                });
            default -> {
                if (openFiles(arguments).stream()
                                .anyMatch(path -> inFolder(path).isPresent())
                        || texts(arguments).stream()
                                .anyMatch(text -> inFolder(path(text)).isPresent())) {
                    throw new IllegalStateException("not modelled: " + line);
                }
            }
        }
    }

    /// Relative names are below the process's own folder, which is not this one.
    private void open(String line, String arguments, long number) {
        inFolder(path(texts(arguments).getFirst())).ifPresent(path -> {
            var creates = line.contains("O_CREAT") || line.contains(" creat(");
            var isThere = sizes.containsKey(path);
            if (creates && !isThere) {
                sizes.put(path, 0L);
                steps.add(new Made(path, false));
            } else if (line.contains("O_TRUNC") && size(path) > 0) {
                throw new IllegalStateException("another length is not modelled: " + line);
            }
            positions.put(Long.toString(number), line.contains("O_APPEND") ? -1L : 0L);
        });
    }

    private void write(String arguments, long count) {
        var number = number(arguments);
        if (openFile(arguments).equals(sayings)) {
            steps.add(new Said(new String(texts(arguments).getFirst(), 0, (int) count, UTF_8)));
            return;
        }
        inFolder(openFile(arguments)).ifPresent(path -> {
            var position = positions.getOrDefault(number, 0L);
            var isAppended = position < 0;
            wrote(path, isAppended ? size(path) : position, texts(arguments).getFirst(), count);
            if (!isAppended) {
                positions.put(number, position + count);
            }
        });
    }

    private void wrote(Path path, long position, byte[] bytes, long count) {
        steps.add(new Wrote(path, position, Arrays.copyOf(bytes, (int) count)));
        sizes.merge(path, position + count, Math::max);
    }

    private void rename(Path from, Path to) {
        var size = sizes.remove(from);
        if (size != null) {
            sizes.put(to, size);
        }
        steps.add(new Renamed(from, to));
    }

    private long size(Path path) {
        return sizes.getOrDefault(path, 0L);
    }

    /// The one path that a call names.
    private Optional<Path> named(String arguments) {
        return inFolder(path(texts(arguments).getFirst()));
    }

    private Optional<Path> inFolder(Path path) {
        return path.startsWith(folder) ? Optional.of(folder.relativize(path)) : Optional.empty();
    }

    private static String number(String arguments) {
        var file = OPEN_FILE.matcher(arguments);
        return file.matches() ? file.group(1) : "";
    }

    private static Path openFile(String arguments) {
        var file = OPEN_FILE.matcher(arguments);
        return file.matches() ? path(bytes(file.group(2))) : Path.of("");
    }

    private static List<Path> openFiles(String arguments) {
        return OPEN_FILES
                .matcher(arguments)
                .results()
                .map(file -> path(bytes(file.group(1))))
                .toList();
    }

    private static List<byte[]> texts(String arguments) {
        return TEXT.matcher(arguments)
                .results()
                .map(text -> {
                    if (text.group(2) != null) {
                        throw new IllegalStateException("a write of more than " + LONGEST_WRITE + " bytes");
                    }
                    return bytes(text.group(1));
                })
                .toList();
    }

    private static byte[] bytes(String escaped) {
        return HexFormat.of().parseHex(escaped.replace("\\x", ""));
    }

    private static Path path(byte[] name) {
        return Path.of(new String(name, UTF_8));
    }
}
