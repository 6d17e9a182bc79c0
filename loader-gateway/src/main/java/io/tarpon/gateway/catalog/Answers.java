package io.tarpon.gateway.catalog;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/// Blocking questions, asked on an executor and answered as futures.
final class Answers {
    private Answers() {}

    /// A blocking question.
    @FunctionalInterface
    interface Question<T> {
        T ask() throws IOException;
    }

    /// The answer, or a [TarponException]: as thrown, or `unavailable` where the question failed on the way.
    static <T> CompletableFuture<T> of(Executor executor, ProblemType unavailable, Question<T> question) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return question.ask();
                    } catch (IOException e) {
                        throw new TarponException(unavailable, e.getMessage() + "", e);
                    }
                },
                executor);
    }

    /// What a future failed with, out of its wrapping.
    static Throwable cause(Throwable thrown) {
        var cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
