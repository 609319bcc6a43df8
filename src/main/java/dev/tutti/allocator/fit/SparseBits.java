package dev.tutti.allocator.fit;

/** A set of small numbers that finds its next member quickly although most words are empty. */
final class SparseBits {

    private static final int SHIFT = 6;

    private final long[] words;
    /** One bit for each word that is not empty. */
    private final long[] filled;

    SparseBits(int size) {
        words = new long[(size >>> SHIFT) + 1];
        filled = new long[(words.length >>> SHIFT) + 1];
    }

    void add(int member) {
        int word = member >>> SHIFT;
        words[word] |= 1L << member;
        filled[word >>> SHIFT] |= 1L << word;
    }

    void remove(int member) {
        int word = member >>> SHIFT;
        words[word] &= ~(1L << member);
        if (words[word] == 0) {
            filled[word >>> SHIFT] &= ~(1L << word);
        }
    }

    /** The smallest member from {@code from} up to but without {@code to}; -1 when there is none. */
    int next(int from, int to) {
        if (from >= to) {
            return -1;
        }
        int word = from >>> SHIFT;
        long bits = words[word] & (-1L << from);
        if (bits == 0) {
            word = nextFilled(word + 1);
            if (word < 0) {
                return -1;
            }
            bits = words[word];
        }
        int found = (word << SHIFT) + Long.numberOfTrailingZeros(bits);
        return found < to ? found : -1;
    }

    private int nextFilled(int from) {
        int group = from >>> SHIFT;
        if (group >= filled.length) {
            return -1;
        }
        long bits = filled[group] & (-1L << from);
        while (bits == 0) {
            if (++group == filled.length) {
                return -1;
            }
            bits = filled[group];
        }
        return (group << SHIFT) + Long.numberOfTrailingZeros(bits);
    }
}
