package io.tarpon.cluster.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.tarpon.wire.json.Json;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where output goes: results to standard output, progress and errors to standard error. With `--json` standard
/// output gets one JSON document and nothing else; with `--quiet` standard error gets errors only. Colours are
/// for terminals.
///
/// The launcher says which streams are terminals (`TARPON_STDOUT_TTY`, `TARPON_STDERR_TTY`): a JVM cannot tell them
/// apart.
public final class Console {
    private static final int BAR_COLUMNS = 20;
    private static final String RESET = "\u001b[0m";

    private final PrintStream out;
    private final PrintStream err;
    private final boolean json;
    private final boolean quiet;
    private final boolean outIsTerminal;
    private final boolean errIsTerminal;
    private final @Nullable BufferedReader answers;
    private int refreshed;

    /// On the standard streams of this process, in UTF-8 whatever the locale.
    public static Console standard(boolean json, boolean quiet) {
        var out = new FileOutputStream(FileDescriptor.out);
        var err = new FileOutputStream(FileDescriptor.err);
        return new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                json,
                quiet,
                terminal());
    }

    /// Both standard input and standard output are one, or it is none.
    private static @Nullable BufferedReader terminal() {
        return Optional.ofNullable(System.console())
                .filter(java.io.Console::isTerminal)
                .map(terminal -> new BufferedReader(terminal.reader()))
                .orElse(null);
    }

    /// With nobody to ask.
    public Console(PrintStream out, PrintStream err, boolean json, boolean quiet) {
        this(out, err, json, quiet, null);
    }

    /// @param answers of the person at the terminal, a line each; null where there is none
    public Console(PrintStream out, PrintStream err, boolean json, boolean quiet, @Nullable BufferedReader answers) {
        this.out = out;
        this.err = err;
        this.json = json;
        this.quiet = quiet;
        this.outIsTerminal = isTerminal("TARPON_STDOUT_TTY");
        this.errIsTerminal = isTerminal("TARPON_STDERR_TTY");
        this.answers = answers;
    }

    /// Whether usage and help, which go to either stream, may have colours.
    public static boolean hasColours() {
        return isTerminal("TARPON_STDOUT_TTY") && isTerminal("TARPON_STDERR_TTY");
    }

    private static boolean isTerminal(String variable) {
        return "1".equals(System.getenv(variable)) && System.getenv("NO_COLOR") == null;
    }

    public boolean json() {
        return json;
    }

    /// A line of the result, for people; nothing with `--json`.
    public void line(String text) {
        if (!json) {
            out.println(Visible.text(text));
        }
    }

    public void heading(String text) {
        if (!json) {
            out.println(paint(Visible.text(text), "\u001b[1m", outIsTerminal));
        }
    }

    public void table(Table table) {
        table.lines().forEach(this::line);
    }

    /// Whether lines can be shown in the place of others, because standard output is a terminal.
    public boolean canRefresh() {
        return outIsTerminal && !json;
    }

    /// Shows lines in the place of those that the last call showed.
    public void refresh(List<String> lines) {
        if (refreshed > 0) {
            out.print("\u001b[" + refreshed + "A\u001b[J");
        }
        lines.forEach(this::line);
        refreshed = lines.size();
    }

    /// The one JSON document of a command; nothing without `--json`.
    public void document(Object value) {
        if (json) {
            try {
                out.println(Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Whether there is a person to ask, and standard output is theirs.
    public boolean canAsk() {
        return answers != null && !json;
    }

    /// Whether the person says yes; whatever else they say, or nothing, is no. Only where [#canAsk].
    public boolean confirms(String question) {
        var person = answers;
        if (person == null) {
            throw new IllegalStateException("nobody to ask");
        }
        out.print(Visible.text(question) + " [y/N] ");
        out.flush();
        try {
            var answer = person.readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        } catch (IOException e) {
            return false;
        }
    }

    /// What is going on, for a person who waits.
    public void note(String text) {
        if (!quiet) {
            err.println(Visible.text(text));
        }
    }

    public void done(String text) {
        if (!quiet) {
            err.println(paint("✓ ", "\u001b[32m", errIsTerminal) + Visible.text(text));
        }
    }

    /// @param next what to do about it; empty where there is nothing to suggest
    public void error(String message, String next) {
        err.println(paint("tarpon: ", "\u001b[31m", errIsTerminal) + Visible.lines(message));
        if (!next.isEmpty()) {
            err.println("  next: " + Visible.text(next));
        }
    }

    /// A bar for work of known size; a line now and then where standard error is no terminal.
    public Progress progress(String task, long total) {
        return new Progress(err, task, total, errIsTerminal && !quiet, quiet);
    }

    /// How far something has come, in a table: a bar and a number on a terminal, else the number.
    public String share(long done, long total) {
        var percent = total <= 0 ? 0 : (int) (100.0 * Math.min(done, total) / total);
        var filled = percent * BAR_COLUMNS / 100;
        return (outIsTerminal ? "█".repeat(filled) + "░".repeat(BAR_COLUMNS - filled) + " " : "") + percent + " %";
    }

    /// Whether all that was written to standard output so far was taken: false once its reader is gone or its disk
    /// full.
    public boolean wasTaken() {
        return !out.checkError();
    }

    private static String paint(String text, String colour, boolean terminal) {
        return terminal ? colour + text + RESET : text;
    }
}
