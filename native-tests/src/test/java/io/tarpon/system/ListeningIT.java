package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Nothing listens beyond loopback, nothing writes without the token, and nothing is readable by other users.
@ExtendWith(SharedCluster.class)
class ListeningIT {
    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final String LISTEN = "0A";
    private static final Set<String> LOOPBACK =
            Set.of("0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F");

    @Test
    void everySocketIsOnLoopbackAndTheStateIsPrivate(Tarpon tarpon) throws IOException {
        int listening = 0;
        for (var process : tarpon.status().get("processes")) {
            var sockets = sockets(process.get("pid").asLong());
            for (var table : new String[] {"tcp", "tcp6"}) {
                for (var line : Files.readAllLines(Path.of("/proc/net/" + table))) {
                    var columns = SPACES.splitAsStream(line.strip()).toArray(String[]::new);
                    if (columns.length > 9 && columns[3].equals(LISTEN) && sockets.contains(columns[9])) {
                        listening++;
                        var address =
                                columns[1].substring(0, columns[1].indexOf(':')).toUpperCase(Locale.ROOT);
                        assertThat(LOOPBACK)
                                .as(process + " listens at " + columns[1])
                                .contains(address);
                    }
                }
            }
        }
        assertThat(listening).isGreaterThanOrEqualTo(8);
        assertThat(mode(tarpon.home())).isEqualTo("rwx------");
        assertThat(mode(tarpon.home().resolve("token"))).isEqualTo("rw-------");
    }

    private static String mode(Path path) throws IOException {
        return java.nio.file.attribute.PosixFilePermissions.toString(
                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    /// Inodes of the sockets that a process has open.
    private static Set<String> sockets(long pid) throws IOException {
        var inodes = new HashSet<String>();
        try (var open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (var link : (Iterable<Path>) open::iterator) {
                if (Files.isSymbolicLink(link)) {
                    var target = Files.readSymbolicLink(link).toString();
                    if (target.startsWith("socket:[")) {
                        inodes.add(target.substring(8, target.length() - 1));
                    }
                }
            }
        }
        return inodes;
    }
}
