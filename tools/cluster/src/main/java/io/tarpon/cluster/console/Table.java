package io.tarpon.cluster.console;

import java.util.ArrayList;
import java.util.Arrays;
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
        rows.add(Arrays.stream(cells)
                .map(cell -> Visible.text(String.valueOf(cell)))
                .toList());
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    public List<String> lines() {
        var widths = new int[titles.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = width(titles.get(column));
            for (var row : rows) {
                widths[column] = Math.max(widths[column], width(row.get(column)));
            }
        }
        var lines = new ArrayList<String>();
        lines.add(line(titles, widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }

    private String line(List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            var cell = cells.get(column);
            var padding = " ".repeat(widths[column] - width(cell));
            line.append(column == 0 ? "" : GAP).append(rightAligned.get(column) ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }
}
