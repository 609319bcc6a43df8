package dev.tutti.simulator.journal;

import org.jspecify.annotations.Nullable;

/** Values of one thing in a row of text, separated by bars; any text is allowed in them. */
public final class Fields {

    private static final char BAR = '|';
    private static final char ESCAPE = '\\';
    private static final String NOTHING = "\\0";

    private Fields() {}

    /** Writes fields in order. */
    public static final class Writer {
        private final StringBuilder out = new StringBuilder();

        public Writer text(String value) {
            for (int i = 0; i < value.length(); i++) {
                escape(value.charAt(i));
            }
            out.append(BAR);
            return this;
        }

        public Writer number(long value) {
            out.append(value).append(BAR);
            return this;
        }

        public Writer flag(boolean value) {
            out.append(value ? 'y' : 'n').append(BAR);
            return this;
        }

        /** Text of {@code value}, or nothing, which differs from an empty text. */
        public Writer optional(@Nullable Object value) {
            if (value != null) {
                return text(value.toString());
            }
            out.append(NOTHING).append(BAR);
            return this;
        }

        private void escape(char c) {
            switch (c) {
                case BAR -> out.append("\\b");
                case ESCAPE -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> out.append(c);
            }
        }

        @Override
        public String toString() {
            return out.toString();
        }
    }

    /** Reads fields in the order in which they were written; throws {@link IllegalArgumentException} on other text. */
    public static final class Reader {
        private final String in;
        private int at;

        public Reader(String in) {
            this.in = in;
        }

        /** Whether there are fields left. */
        public boolean hasMore() {
            return at < in.length();
        }

        public String text() {
            String value = optional();
            if (value == null) {
                throw new IllegalArgumentException("no value before " + at + " in " + in);
            }
            return value;
        }

        public long number() {
            return Long.parseLong(text());
        }

        public boolean flag() {
            return text().equals("y");
        }

        public @Nullable String optional() {
            int end = in.indexOf(BAR, at);
            if (end < 0) {
                throw new IllegalArgumentException("no field at " + at + " in " + in);
            }
            String raw = in.substring(at, end);
            at = end + 1;
            return raw.equals(NOTHING) ? null : unescaped(raw);
        }

        private static String unescaped(String raw) {
            if (raw.indexOf(ESCAPE) < 0) {
                return raw;
            }
            StringBuilder out = new StringBuilder(raw.length());
            for (int i = 0; i < raw.length(); i++) {
                char c = raw.charAt(i);
                out.append(c == ESCAPE && ++i < raw.length() ? meant(raw.charAt(i)) : c);
            }
            return out.toString();
        }

        private static char meant(char escaped) {
            return switch (escaped) {
                case 'b' -> BAR;
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                default -> escaped;
            };
        }
    }
}
