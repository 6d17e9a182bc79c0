package io.tarpon.cli.console;

import java.util.ArrayList;
import java.util.List;

/// Columns that align: text to the left, columns named with a leading `>` to the right.
public final class Table {
    private static final String GAP = "  ";

    private final List<String> titles = new ArrayList<>();
    private final List<Boolean> rightAligned = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... columns) {
        for (var column : columns) {
            rightAligned.add(column.startsWith(">"));
            titles.add(column.startsWith(">") ? column.substring(1) : column);
        }
    }

    public Table row(Object... cells) {
        if (cells.length != titles.size()) {
            throw new IllegalArgumentException(cells.length + " cells for " + titles.size() + " columns");
        }
        rows.add(java.util.Arrays.stream(cells).map(String::valueOf).toList());
        return this;
    }

    public List<String> lines() {
        var widths = new int[titles.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = titles.get(column).length();
            for (var row : rows) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        var lines = new ArrayList<String>();
        lines.add(line(titles, widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private String line(List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            var cell = cells.get(column);
            var padding = " ".repeat(widths[column] - cell.length());
            line.append(column == 0 ? "" : GAP).append(rightAligned.get(column) ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }
}
