package io.tarpon.service.disk;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.service.WriteAccess;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    private static final WriteToken OLD = new WriteToken("an-old-token-of-the-tests");
    private static final WriteToken NEW = new WriteToken("a-new-token-of-the-tests!");
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(folder.resolve("token"), "an-old-token-of-the-tests\n");
    }

    @Test
    void aServiceTakesTheNewTokenAndTheOldOneNoMoreWhenTheFileWasReplaced() throws IOException {
        try (var token = TokenFile.open(file, SOON)) {
            var access = WriteAccess.with(token);
            access.check(OLD.headerValue());
            replace("a-new-token-of-the-tests!");
            awaitNew(token);
            access.check(NEW.headerValue());
            assertThatThrownBy(() -> access.check(OLD.headerValue()))
                    .isInstanceOfSatisfying(
                            TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.UNAUTHORIZED));
        }
    }

    @Test
    void whoWasRefusedReadsTheNewTokenAtOnce() throws IOException {
        try (var token = TokenFile.open(file, NEVER)) {
            replace("a-new-token-of-the-tests!");
            assertThat(token.current()).isEqualTo(OLD);
            assertThat(token.reread()).isEqualTo(NEW);
            assertThat(token.current()).isEqualTo(NEW);
        }
    }

    @Test
    void whileTheFileCannotBeUsedTheTokenReadLastStays() throws IOException {
        try (var token = TokenFile.open(file, NEVER)) {
            Files.delete(file);
            assertThat(token.reread()).isEqualTo(OLD);
            replace("short");
            assertThat(token.reread()).isEqualTo(OLD);
            replace("a-new-token-of-the-tests!");
            assertThat(token.reread()).isEqualTo(NEW);
        }
    }

    @Test
    void aFileThatCannotBeUsedIsNamed() throws IOException {
        replace("short");
        assertThatThrownBy(() -> TokenFile.open(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tarpon.token-file " + file);
        assertThatThrownBy(() -> TokenFile.open(folder.resolve("none")))
                .hasMessageContaining("tarpon.token-file")
                .hasMessageContaining("none is not there");
    }

    @Test
    void nobodyMayWriteWhereNoTokenIs() {
        assertThatThrownBy(() -> WriteAccess.nobody().check(OLD.headerValue()))
                .isInstanceOf(TarponException.class)
                .hasMessageContaining("tarpon.token-file");
    }

    @Test
    void onceClosedItLooksNoMore() throws Exception {
        var before = looking();
        var token = TokenFile.open(file, SOON);
        assertThat(looking()).isEqualTo(before + 1);
        token.close();
        var deadline = Instant.now().plus(PATIENCE);
        while (looking() > before && Instant.now().isBefore(deadline)) {
            LockSupport.parkNanos(SOON.toNanos());
        }
        assertThat(looking()).isEqualTo(before);
        assertThatCode(token::current).doesNotThrowAnyException();
    }

    private static long looking() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("tarpon-token"))
                .count();
    }

    private void replace(String token) throws IOException {
        var next = Files.writeString(folder.resolve("token.new"), token);
        Files.move(next, file, ATOMIC_MOVE);
    }

    private static void awaitNew(TokenFile token) {
        var deadline = Instant.now().plus(PATIENCE);
        while (!token.current().equals(NEW)) {
            assertThat(Instant.now()).as("the new token is read").isBefore(deadline);
            LockSupport.parkNanos(SOON.toNanos());
        }
    }
}
