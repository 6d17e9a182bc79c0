package io.tarpon.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void aTakenPortGivesAnotherThatIsFree() throws IOException {
        for (var address : new String[] {"127.0.0.1", "0.0.0.0"}) {
            try (var taken = new ServerSocket(0, 1, InetAddress.getAllByName(address)[0])) {
                var port = new Ports().free(taken.getLocalPort());
                assertThat(port).isNotEqualTo(taken.getLocalPort());
                assertThat(Ports.isFree(port)).isTrue();
                assertThat(Ports.isFree(taken.getLocalPort())).isFalse();
            }
        }
    }

    @Test
    void aFreePortIsGivenAsWantedButOnlyOnce() {
        int wanted = new Ports().free(0);
        var ports = new Ports();
        assertThat(ports.free(wanted)).isEqualTo(wanted);
        assertThat(ports.free(wanted)).isNotEqualTo(wanted);
    }

    @Test
    void noPortIsGivenTwice() {
        var ports = new Ports();
        var given = new HashSet<Integer>();
        for (int i = 0; i < 200; i++) {
            assertThat(given.add(ports.free(0))).isTrue();
        }
    }
}
