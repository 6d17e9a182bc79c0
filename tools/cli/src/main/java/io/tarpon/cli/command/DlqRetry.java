package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.client.DeadLetters;
import io.tarpon.wire.letter.DeadLetter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Puts dead letters back into the topics they came from.
@Command(name = "retry", description = "Put a dead letter, or all that were not yet, back into its topic.")
public final class DlqRetry extends TarponCommand {
    @Parameters(arity = "0..1", paramLabel = "ID", description = "As 'dlq ls' shows it.")
    private Optional<String> id = Optional.empty();

    @Option(names = "--all", description = "Every letter that was not put back before.")
    private boolean all;

    private record Retried(int retried, List<String> ids) {}

    @Override
    int run(Context context) {
        if (id.isPresent() == all) {
            throw CommandFailure.usage("name one dead letter, or --all", "see: ./tarpon dlq ls");
        }
        var letters = context.deadLetters(context.cluster().running());
        var ids = id.map(List::of).orElseGet(() -> waiting(context, letters));
        for (int done = 0; done < ids.size(); done++) {
            letters.retry(ids.get(done));
            context.console().note("put back " + ids.get(done) + " (" + (done + 1) + " of " + ids.size() + ")");
        }
        context.console().document(new Retried(ids.size(), ids));
        context.console()
                .line(ids.isEmpty() ? "no dead letter waits" : "put back " + ids.size() + "; see: ./tarpon dlq ls");
        return 0;
    }

    /// The oldest first, as they came.
    private static List<String> waiting(Context context, DeadLetters letters) {
        var list = letters.list(DlqLs.MAX_LETTERS);
        if (list.more()) {
            context.console().note("only the newest " + DlqLs.MAX_LETTERS + " are looked at");
        }
        return list.letters().reversed().stream()
                .filter(letter -> letter.retriedAt() == null)
                .map(DeadLetter::id)
                .toList();
    }
}
