package dev.tutti.simulator.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {

    @TempDir
    Path folder;

    @Test
    void theLastValueOfEachKeyIsKept() {
        try (Journal journal = begun(Map.of("old", "1"))) {
            journal.put("a", "1");
            journal.put("b", "any | text \\ with\nlines\tand \r 作业 🎻, and an empty one next");
            journal.put("c", "");
            journal.commit();
            journal.put("a", "2");
            journal.remove("old");
            journal.remove("never there");
            journal.awaitDurable(journal.commit());
        }

        assertThat(read())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "a", "2", "b", "any | text \\ with\nlines\tand \r 作业 🎻, and an empty one next", "c", ""));
    }

    @Test
    void aFileCutAtAnyByteKeepsExactlyTheBatchesBeforeTheCut() throws IOException {
        List<Map<String, String>> states = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        write(states, ends);
        byte[] whole = Files.readAllBytes(file());

        for (int cut = ends.get(0).intValue(); cut <= whole.length; cut++) {
            int batches = batchesUntil(ends, cut);
            assertThat(read(Arrays.copyOf(whole, cut)))
                    .as("cut at %s of %s", cut, whole.length)
                    .isEqualTo(states.get(batches));
        }
        assertThat(states).hasSize(21);
    }

    @Test
    void afterACutEverythingGoesOn() throws IOException {
        List<Map<String, String>> states = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        write(states, ends);
        byte[] whole = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(whole, whole.length - 3));

        Map<String, String> kept = read();
        try (Journal journal = begun(kept)) {
            journal.put("new", "1");
            journal.awaitDurable(journal.commit());
        }

        Map<String, String> expected = new TreeMap<>(states.get(states.size() - 2));
        expected.put("new", "1");
        assertThat(read()).isEqualTo(expected);
    }

    @Test
    void aChangedByteIsNoticedOrWasInWhatTheLastLineAloneSaid() throws IOException {
        List<Map<String, String>> states = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        write(states, ends);
        byte[] whole = Files.readAllBytes(file());
        Map<String, String> full = states.get(states.size() - 1);
        long lastLine = ends.get(ends.size() - 2);
        int noticed = 0;

        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 0x15;
            try {
                Map<String, String> read = read(changed);
                assertThat(read.equals(full) || (at >= lastLine - 1 && states.contains(read)))
                        .as("byte %s of %s changed", at, whole.length)
                        .isTrue();
            } catch (JournalDamaged e) {
                noticed++;
                assertThat(e).hasMessageContaining("damaged at byte").hasMessageContaining("move it away");
            }
        }
        assertThat(noticed).isGreaterThan((int) (lastLine * 0.9));
    }

    @Test
    void aBeginningThatIsNotWholeIsDamage() throws IOException {
        List<Long> ends = new ArrayList<>();
        write(new ArrayList<>(), ends);
        byte[] whole = Files.readAllBytes(file());

        for (int cut = 0; cut < ends.get(0); cut++) {
            byte[] bytes = Arrays.copyOf(whole, cut);
            assertThatThrownBy(() -> read(bytes)).as("cut at %s", cut).isInstanceOf(JournalDamaged.class);
        }
    }

    @Test
    void anotherFileIsNotTakenForAJournal() throws IOException {
        Files.writeString(file(), "something else\n");

        assertThatThrownBy(this::read).isInstanceOf(JournalDamaged.class).hasMessageContaining("tutti-journal 1");
    }

    @Test
    void whatWasHalfRewrittenIsNotLookedAt() throws IOException {
        List<Map<String, String>> states = new ArrayList<>();
        write(states, new ArrayList<>());
        Files.writeString(folder.resolve("journal.new"), "half a");

        assertThat(read()).isEqualTo(states.get(states.size() - 1));
    }

    @Test
    void aThousandThatWaitAtOnceShareOneSync() throws InterruptedException {
        try (Journal journal = begun(Map.of())) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                journal.put("key " + i, "value");
                long mark = journal.commit();
                threads.add(new Thread(() -> journal.awaitDurable(mark)));
            }
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }

            assertThat(journal.syncs()).isEqualTo(1);
        }
        assertThat(read()).hasSize(1_000);
    }

    @Test
    void anInterruptedCallerDoesNotSpoilItForOthers() {
        try (Journal journal = begun(Map.of())) {
            Thread.currentThread().interrupt();
            journal.put("a", "1");
            journal.awaitDurable(journal.commit());

            assertThat(Thread.interrupted()).isTrue();
            journal.put("b", "1");
            journal.awaitDurable(journal.commit());
        }
        assertThat(read()).hasSize(2);
    }

    @Test
    void aJournalThatGrewFarBeyondItsStateWantsToBeRewrittenAndIsSmallThen() throws IOException {
        String megabyte = "x".repeat(1 << 20);
        try (Journal journal = begun(Map.of())) {
            for (int i = 0; i < 64; i++) {
                assertThat(journal.wantsRewrite()).isFalse();
                journal.put("a", megabyte + i);
                journal.awaitDurable(journal.commit());
            }
            assertThat(journal.wantsRewrite()).isTrue();

            journal.rewrite(out -> out.accept("a", "last"));
            journal.put("b", "after");
            journal.awaitDurable(journal.commit());

            assertThat(journal.wantsRewrite()).isFalse();
            assertThat(Files.size(file())).isLessThan(1_000);
        }
        assertThat(read()).isEqualTo(Map.of("a", "last", "b", "after"));
    }

    @Test
    void rewritingMakesDurableWhatWasCommittedBefore() {
        try (Journal journal = begun(Map.of())) {
            journal.put("a", "1");
            long mark = journal.commit();

            journal.rewrite(out -> out.accept("a", "1"));
            journal.awaitDurable(mark);

            assertThat(journal.syncs()).isZero();
        }
        assertThat(read()).isEqualTo(Map.of("a", "1"));
    }

    @Test
    void aSecondOneInTheSameFolderIsRefusedAndSaysWhoHasIt() {
        try (Journal first = begun(Map.of())) {
            assertThatThrownBy(() -> Journal.open(folder))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "in use by process " + ProcessHandle.current().pid());
            first.put("a", "1");
            first.awaitDurable(first.commit());
        }
        assertThat(read()).hasSize(1);
    }

    @Test
    void nothingIsAcknowledgedAfterTheFileWasLetGo() {
        Journal journal = begun(Map.of());
        journal.release();
        journal.put("a", "1");
        long mark = journal.commit();

        assertThatThrownBy(() -> journal.awaitDurable(mark)).isInstanceOf(UncheckedIOException.class);
    }

    private Path file() {
        return folder.resolve("journal");
    }

    private Map<String, String> read() {
        Journal journal = Journal.open(folder);
        try {
            return journal.read();
        } finally {
            journal.release();
        }
    }

    private Map<String, String> read(byte[] bytes) {
        Map<String, String> state = new TreeMap<>();
        Lines.read(file(), bytes, state);
        return state;
    }

    private Journal begun(Map<String, String> state) {
        Journal journal = Journal.open(folder);
        journal.rewrite((BiConsumer<String, String> out) -> state.forEach(out));
        return journal;
    }

    /** Twenty acknowledged batches; the state after each, and the size of the file then. */
    private void write(List<Map<String, String>> states, List<Long> ends) throws IOException {
        Map<String, String> state = new TreeMap<>(Map.of("first", "there"));
        try (Journal journal = begun(state)) {
            states.add(new TreeMap<>(state));
            ends.add(Files.size(file()));
            for (int i = 0; i < 20; i++) {
                change(journal, state, i);
                journal.awaitDurable(journal.commit());
                states.add(new TreeMap<>(state));
                ends.add(Files.size(file()));
            }
        }
    }

    private static void change(Journal journal, Map<String, String> state, int step) {
        journal.put("both/" + step, "one | " + step);
        journal.put("and/" + step, "作业\n" + step);
        state.put("both/" + step, "one | " + step);
        state.put("and/" + step, "作业\n" + step);
        if (step % 3 == 2) {
            journal.remove("both/" + (step - 1));
            state.remove("both/" + (step - 1));
        }
    }

    private static int batchesUntil(List<Long> ends, int size) {
        int batches = 0;
        while (batches + 1 < ends.size() && ends.get(batches + 1) <= size) {
            batches++;
        }
        return batches;
    }
}
