package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.client.DeadLetters;
import java.util.ArrayList;
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

    /// @param left letters that cannot be put back, because the message is no longer whole
    private record Retried(int retried, List<String> ids, List<String> left) {}

    @Override
    int run(Context context) {
        if (id.isPresent() == all) {
            throw CommandFailure.usage("name one dead letter, or --all", "see: ./tarpon dlq ls");
        }
        var letters = context.deadLetters(context.cluster().running());
        var retried = id.map(one -> one(letters, one)).orElseGet(() -> all(context, letters));
        show(context, retried);
        return 0;
    }

    private static void show(Context context, Retried retried) {
        context.console().document(retried);
        context.console()
                .line(
                        retried.retried() == 0
                                ? "no dead letter waits"
                                : "put back " + retried.retried() + "; see: ./tarpon dlq ls");
        if (!retried.left().isEmpty()) {
            context.console()
                    .note(retried.left().size() + " are no longer whole and were left, such as "
                            + retried.left().getFirst() + "; see: ./tarpon dlq show ID");
        }
    }

    private static Retried one(DeadLetters letters, String id) {
        letters.retry(id);
        return new Retried(1, List.of(id), List.of());
    }

    /// The oldest first, as they came; those that die meanwhile wait for another call. Before a failure is said
    /// what was put back until then.
    private static Retried all(Context context, DeadLetters letters) {
        var ids = new ArrayList<String>();
        var left = new ArrayList<String>();
        var next = Optional.of("");
        try {
            while (next.isPresent()) {
                var from = next.get();
                var step = letters.retryAll(from);
                ids.addAll(step.ids());
                left.addAll(step.left());
                next = Optional.ofNullable(step.next());
                context.console().note("put back " + ids.size() + (next.isPresent() ? " so far" : ""));
                requireMoved(from, next);
            }
        } catch (CommandFailure e) {
            if (!ids.isEmpty() || !left.isEmpty()) {
                show(context, new Retried(ids.size(), ids, left));
            }
            throw e;
        }
        return new Retried(ids.size(), ids, left);
    }

    /// The same question would be asked for ever.
    private static void requireMoved(String from, Optional<String> next) {
        if (next.filter(from::equals).isPresent()) {
            throw CommandFailure.failed(
                    "ingest-fn does not get on with " + from,
                    "look at: ./tarpon logs ingest-fn, raise its tarpon.ingest.letter-timeout, then try again");
        }
    }
}
