package io.tarpon.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicasTest {
    private static final URI A = URI.create("http://a:7071");
    private static final URI B = URI.create("http://b:7071");
    private static final URI C = URI.create("http://c:7071");

    private final Replicas replicas = new Replicas(List.of(A, B, C));

    @Test
    void areAskedInTheOrderInWhichTheyAreGiven() {
        assertThat(replicas.inOrder()).containsExactly(A, B, C);
    }

    @Test
    void oneThatFailedGoesToTheBack() {
        replicas.failed(A);
        assertThat(replicas.inOrder()).containsExactly(B, C, A);
        replicas.failed(B);
        assertThat(replicas.inOrder()).containsExactly(C, A, B);
    }

    @Test
    void oneThatTwoFoundSilentGoesToTheBackOnce() {
        replicas.failed(A);
        replicas.failed(A);
        assertThat(replicas.inOrder()).containsExactly(B, C, A);
    }

    @Test
    void isKnownByItsAuthority() {
        replicas.failed(URI.create("http://b:7071/v1/nodes?revision=3"));
        assertThat(replicas.inOrder()).containsExactly(A, C, B);
    }

    @Test
    void theHighestRevisionStays() {
        replicas.saw(7);
        replicas.saw(3);
        assertThat(replicas.seen()).isEqualTo(7);
    }

    @Test
    void aListWithNoneOrOneTwiceIsRefused() {
        assertThatThrownBy(() -> new Replicas(List.of())).hasMessageContaining("no metadata url");
        assertThatThrownBy(() -> new Replicas(List.of(A, URI.create("http://a:7071/"))))
                .hasMessageContaining("'http://a:7071/' is given twice");
    }

    @Test
    void anUrlWithoutSchemeOrHostIsRefused() {
        assertThatThrownBy(() -> new Replicas(List.of(URI.create("a/b")))).hasMessageContaining("is not absolute");
        assertThatThrownBy(() -> new Replicas(List.of(URI.create("a:7071")))).hasMessageContaining("names no host");
    }
}
