package dev.tutti.testkit.scenario;

import java.util.ArrayList;
import java.util.List;

/**
 * RDMA NICs of a test node that are worth the same.
 *
 * @param place empty when unknown
 */
public record TestNics(String resource, String place, int count, int held) {

    static final String PREFIX = "rdma/";

    /**
     * Reads {@code 2@0}, {@code ib:1@1} or {@code 8}: so many, of {@code rdma/hca} where no name is given, in a place where
     * one is given. {@code held} tells how many of each are held.
     */
    static List<TestNics> of(List<String> groups, List<String> held) {
        List<TestNics> nics = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            String group = groups.get(i);
            String name = group.contains(":") ? group.substring(0, group.indexOf(':')) : "hca";
            String[] amount = group.substring(group.indexOf(':') + 1).split("@");
            nics.add(new TestNics(
                    PREFIX + name,
                    amount.length > 1 ? amount[1] : "",
                    Integer.parseInt(amount[0]),
                    i < held.size() ? Integer.parseInt(held.get(i)) : 0));
        }
        return nics;
    }

    public int free() {
        return Math.max(0, count - held);
    }
}
