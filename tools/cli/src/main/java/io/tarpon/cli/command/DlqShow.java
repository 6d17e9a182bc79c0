package io.tarpon.cli.command;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.console.HexDump;
import io.tarpon.cluster.console.Table;
import io.tarpon.wire.letter.DeadLetter;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Shows one dead letter: why it is one, its headers and its bytes.
@Command(name = "show", description = "Show one dead letter: why it is one, its headers, its bytes.")
public final class DlqShow extends TarponCommand {
    @Parameters(paramLabel = "ID", description = "As 'dlq ls' shows it.")
    private String id = "";

    @Option(names = "--raw", description = "Write the original bytes to standard output, and nothing else.")
    private boolean raw;

    @Override
    int run(Context context) {
        if (raw && context.console().json()) {
            throw CommandFailure.usage("--raw and --json exclude each other", "leave one away");
        }
        var letter = context.deadLetters(context.cluster().running()).letter(id);
        var value = letter.value();
        var bytes = value == null ? new byte[0] : Base64.getDecoder().decode(value);
        if (raw) {
            return write(bytes);
        }
        context.console().document(letter);
        show(context.console(), letter, bytes);
        return 0;
    }

    private static int write(byte[] bytes) {
        try {
            return Cat.copy(new ByteArrayInputStream(bytes), new FileOutputStream(FileDescriptor.out));
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be read", e);
        }
    }

    private static void show(Console console, DeadLetter letter, byte[] bytes) {
        console.heading(letter.id());
        console.line(letter.reason() + ": " + letter.detail());
        var retriedAt = letter.retriedAt();
        var facts = new Table("FACT", "VALUE");
        facts.row("from", letter.topic());
        facts.row("at", letter.at());
        facts.row("put back", retriedAt == null ? "-" : retriedAt);
        facts.row("key", letter.key() == null ? "-" : letter.key());
        letter.headers().forEach((name, value) -> facts.row("header " + name, value));
        facts.row("bytes", letter.bytes());
        console.table(facts);
        console.line("");
        text(bytes)
                .ifPresentOrElse(
                        text -> text.lines().forEach(console::line),
                        () -> HexDump.lines(bytes).forEach(console::line));
    }

    /// The bytes as text, where they are text.
    private static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
