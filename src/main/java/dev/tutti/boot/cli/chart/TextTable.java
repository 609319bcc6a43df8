package dev.tutti.boot.cli.chart;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows of text under a heading; the first column stands left, the others right. */
public final class TextTable {

    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(List<String> heading) {
        rows.add(List.copyOf(heading));
    }

    /** Adds a row with as many cells as the heading has. */
    public void add(List<String> row) {
        rows.add(List.copyOf(row));
    }

    public void print(PrintWriter out) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ");
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                String space = " ".repeat(width(column) - cell.length());
                line.append(column == 0 ? cell + space : GAP + space + cell);
            }
            out.println(line.toString().stripTrailing());
        }
        out.println();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElseThrow();
    }
}
