package dev.tutti.testkit.envtest.kubelet;

import java.util.ArrayList;
import java.util.List;

/** What went wrong inside the toy kubelet itself; a test that ends well expects none. */
final class Complaints {

    private static final int LIMIT = 100;

    private final List<String> texts = new ArrayList<>();

    synchronized void add(String what, RuntimeException problem) {
        if (texts.size() < LIMIT) {
            texts.add(what + ": " + problem);
            System.err.println("toy kubelet: " + what + ": " + problem);
        }
    }

    synchronized List<String> all() {
        return List.copyOf(texts);
    }
}
