package dev.tutti.simulator;

import dev.tutti.simulator.journal.Journal;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Keeps the cluster's state in a journal. */
final class JournalLog implements StateLog {

    private final Journal journal;

    JournalLog(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void put(String key, Supplier<String> value) {
        journal.put(key, value.get());
    }

    @Override
    public void remove(String key) {
        journal.remove(key);
    }

    @Override
    public long commit() {
        return journal.commit();
    }

    @Override
    public void awaitDurable(long mark) {
        journal.awaitDurable(mark);
    }

    @Override
    public boolean wantsRewrite() {
        return journal.wantsRewrite();
    }

    @Override
    public void rewrite(Consumer<BiConsumer<String, String>> state) {
        journal.rewrite(state);
    }
}
