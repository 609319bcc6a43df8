package dev.tutti.simulator;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Where the cluster keeps its state for the time after a crash: the last value of each key counts. Used under the
 * cluster's lock, except {@link #awaitDurable}.
 */
interface StateLog {

    /** Notes a change; it belongs to the batch that the next {@link #commit} closes. */
    void put(String key, Supplier<String> value);

    /** Notes that a key is gone. */
    void remove(String key);

    /** Closes the batch, which is kept whole or not at all; returns the mark to wait for. */
    long commit();

    /** Returns when everything up to this mark survives a crash; throws {@link java.io.UncheckedIOException}. */
    void awaitDurable(long mark);

    /** Whether the log has grown so much beyond the state that {@link #rewrite} is worth its time. */
    boolean wantsRewrite();

    /** Replaces the log by one that says only this. */
    void rewrite(Consumer<BiConsumer<String, String>> state);

    /** Keeps nothing: for tests and what-if. */
    StateLog NONE = new StateLog() {
        @Override
        public void put(String key, Supplier<String> value) {}

        @Override
        public void remove(String key) {}

        @Override
        public long commit() {
            return 0;
        }

        @Override
        public void awaitDurable(long mark) {}

        @Override
        public boolean wantsRewrite() {
            return false;
        }

        @Override
        public void rewrite(Consumer<BiConsumer<String, String>> state) {}
    };
}
