package dev.tutti.kubernetes.sighting;

import java.util.ArrayList;
import java.util.List;

/** Collects what was odd about one node: a bounded list of bounded texts. */
final class Warnings {

    private static final int MOST = 16;
    private static final int LENGTH = 200;

    private final List<String> texts = new ArrayList<>();

    void add(String text) {
        if (texts.size() < MOST) {
            texts.add(Texts.bounded(text, LENGTH));
        }
    }

    List<String> texts() {
        return List.copyOf(texts);
    }
}
