package io.tarpon.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The TCP sockets a process listens on, as Linux tells them: addresses in hexadecimal, host byte order by words.
public final class Listening {
    /// 127.0.0.1, the same mapped into IPv6, and ::1.
    public static final List<String> LOOPBACK =
            List.of("0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000");

    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final Pattern INODE = Pattern.compile("socket:\\[(\\d+)]");
    private static final String LISTEN = "0A";

    private Listening() {}

    public static boolean known() {
        return Files.isReadable(TABLES.getFirst());
    }

    public static List<String> addresses(long pid) throws IOException {
        Set<String> inodes = inodes(pid);
        List<String> sockets = new ArrayList<>();
        for (Path table : TABLES) {
            if (Files.isReadable(table)) {
                sockets.addAll(Files.readAllLines(table));
            }
        }
        // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
        return sockets.stream()
                .map(line -> List.of(line.strip().split(" +")))
                .filter(column -> column.get(3).equals(LISTEN) && inodes.contains(column.get(9)))
                .map(column -> column.get(1).substring(0, column.get(1).indexOf(':')))
                .toList();
    }

    private static Set<String> inodes(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                Matcher socket = INODE.matcher(target(descriptor));
                if (socket.matches()) {
                    inodes.add(socket.group(1));
                }
            }
        }
        return inodes;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // Closed since it was listed, so it listens no more.
            return "";
        }
    }
}
