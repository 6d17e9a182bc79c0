package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Ages;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.Table;
import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Lists dead letters, newest first.
@Command(name = "ls", description = "List dead letters, newest first.")
public final class DlqLs extends TarponCommand {
    static final int MAX_LETTERS = 1000;

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description = "Only of this one: tarpon.uploads.dlq, tarpon.plans.dlq.")
    private Optional<String> topic = Optional.empty();

    @Option(names = "--limit", paramLabel = "N", description = "At most so many (100).")
    private int limit = 100;

    @Override
    int run(Context context) {
        if (limit < 1 || limit > MAX_LETTERS) {
            throw CommandFailure.usage(
                    "--limit " + limit + " is not between 1 and " + MAX_LETTERS, "try: --limit " + MAX_LETTERS);
        }
        var letters = context.deadLetters(context.cluster().running());
        var list = topic.map(name -> letters.list(limit, name)).orElseGet(() -> letters.list(limit));
        context.console().document(list.letters());
        show(context.console(), list);
        return 0;
    }

    private static void show(Console console, DeadLetterList list) {
        if (list.letters().isEmpty()) {
            console.note("no dead letters");
            return;
        }
        var now = Instant.now();
        var table = new Table("ID", ">AGE", "FROM", ">BYTES", "REASON", "PUT BACK", "DETAIL");
        for (var letter : list.letters()) {
            table.row(
                    letter.id(),
                    Ages.between(letter.at(), now),
                    letter.topic(),
                    letter.bytes(),
                    letter.reason(),
                    putBack(letter, now),
                    letter.detail());
        }
        console.table(table);
        if (list.more()) {
            console.note("there are older ones; see them with: --limit " + MAX_LETTERS);
        }
    }

    private static String putBack(DeadLetter letter, Instant now) {
        var at = letter.retriedAt();
        return at == null ? "-" : Ages.between(at, now) + " ago";
    }
}
