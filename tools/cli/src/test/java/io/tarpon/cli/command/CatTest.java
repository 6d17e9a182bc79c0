package io.tarpon.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.cluster.CommandFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;

class CatTest {
    @Test
    void copiesEveryByte() throws IOException {
        var bytes = new byte[200_001];
        new java.util.Random(1).nextBytes(bytes);
        var to = new ByteArrayOutputStream();
        assertThat(Cat.copy(new ByteArrayInputStream(bytes), to)).isZero();
        assertThat(to.toByteArray()).isEqualTo(bytes);
    }

    @Test
    void aReaderThatHasGoneEndsItWithoutAWord() throws IOException {
        assertThat(Cat.copy(InputStream.nullInputStream(), refusing("Broken pipe")))
                .isZero();
        assertThat(Cat.copy(new ByteArrayInputStream(new byte[9]), refusing("Broken pipe")))
                .isEqualTo(CommandFailure.FAILED);
    }

    @Test
    void aFullDiskIsSaid() {
        assertThatThrownBy(() -> Cat.copy(new ByteArrayInputStream(new byte[9]), refusing("No space left on device")))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("No space left on device");
    }

    private static OutputStream refusing(String reason) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException(reason);
            }
        };
    }
}
