package dev.tutti.simulator;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Makes UIDs that are the same in every run of one incarnation of the cluster, and never in another. */
final class Ids {

    private Ids() {}

    static String uid(String incarnation, String kind, String name, long number) {
        String text = incarnation + "/" + kind + "/" + name + "/" + number;
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
