package dev.tutti.allocator;

import dev.tutti.model.fleet.MigInstance;
import dev.tutti.model.fleet.MigLayouts;
import dev.tutti.model.fleet.MigProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A small fleet and one gang, made from a seed, as the text of a scenario. */
record SmallCase(List<String> fleet, String job) {

    /** What the gang asks for beside pods. */
    enum Kind {
        /** A topology wish of the job at most. */
        PLAIN,
        /** Wishes of single pod sets too. */
        WISHES_OF_SETS,
        /** Segments, alone or beside wishes of the job and of sets. */
        SEGMENTS,
        /** Several sets, together or apart, beside wishes of single sets. */
        AFFINITY,
        /** MIG instances beside shares and whole GPUs, on GPUs that are whole, shared or cut. */
        MIG,
        /** RDMA NICs of two resources, in known and unknown places. */
        NICS
    }

    private static final String[] SHARES = {"100", "250", "300", "400", "500", "700"};
    private static final String[] PROFILES = {
        "1g.5gb", "1g.10gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb", "1g.20gb", "2g.20gb", "3g.40gb"
    };

    private static final String[] NICS = {" rdma=1", " rdma=1", " rdma=2", " rdma=ib:1", " rdma=hca:2", " rdma=3"};

    private static final String[] LEVELS = {"cluster", "zone", "block", "block", "rack", "rack", "hostname", "hostname"
    };

    private static final String[] LABELS = {"", " labels=p:x", " labels=p:y", " labels=p:x,q:z", " labels=q:z"};
    private static final String[] SELECTORS = {" select=p:x", " select=p:y", " select=q:z", " select=p:x,q:z"};
    private static final String[] TAINTS = {
        "", "", "", "", "", "", " taints=t:1", " taints=t:2:NoExecute", " taints=t:1,u", " taints=t:1:PreferNoSchedule"
    };
    private static final String[] TOLERATIONS = {
        "", "", " tolerate=t", " tolerate=t:1", " tolerate=t::NoExecute", " tolerate=t,u", " tolerate=*"
    };

    static SmallCase of(long seed, Kind kind) {
        Random random = new Random(seed);
        List<String> fleet = new ArrayList<>();
        int nodes = 2 + random.nextInt(4);
        int zones = random.nextInt(3);
        boolean ruled = random.nextBoolean();
        for (int n = 0; n < nodes; n++) {
            String node = kind == Kind.MIG ? migNode(random, n, zones) : node(random, n, zones);
            String more = kind == Kind.NICS ? places(random, node) + nics(random) : "";
            fleet.add(node + more + (ruled ? traits(random) : ""));
        }
        return new SmallCase(fleet, job(random, kind, ruled));
    }

    private static String node(Random random, int n, int zones) {
        int gpus = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(3);
        StringBuilder node = new StringBuilder("n" + n);
        node.append(" cluster=").append(random.nextInt(6) == 0 ? "west" : "east");
        node.append(zones == 0 || random.nextInt(4) == 0 ? "" : " zone=z" + random.nextInt(zones));
        node.append(random.nextInt(8) == 0 ? "" : " block=b" + random.nextInt(2));
        node.append(random.nextInt(8) == 0 ? "" : " rack=r" + random.nextInt(2));
        node.append(" gpus=").append(gpus);
        if (gpus > 0) {
            node.append(random.nextInt(3) == 0 ? " flavor=b" : " flavor=a");
            int used = random.nextInt(gpus + 1);
            node.append(random.nextInt(2) == 0 ? " used=" + used : "");
            boolean room = used < gpus && node.indexOf("used") < 0;
            node.append(room && random.nextInt(2) == 0 ? " shares=" + SHARES[random.nextInt(SHARES.length)] : "");
            boolean sick = gpus > 1 && node.indexOf("used") < 0 && random.nextInt(8) == 0;
            node.append(sick ? " sick=1" : "");
        }
        node.append(" cpu=").append(2 + random.nextInt(5)).append(" memory=").append(2 + random.nextInt(5));
        node.append(random.nextInt(5) == 0 ? " cpuUsed=" + random.nextInt(4) : "");
        node.append(random.nextInt(8) == 0 ? " slots=" + random.nextInt(3) : "");
        node.append(random.nextInt(12) == 0 ? " closed" : "");
        return node.toString();
    }

    /** All GPUs of a flavor are of one layout: 40 GB, 80 GB, or none. */
    private static String migNode(Random random, int n, int zones) {
        String[] kinds = {"a", "a", "a", "b", "b", "c"};
        String flavor = kinds[random.nextInt(kinds.length)];
        StringBuilder node = new StringBuilder("n" + n);
        node.append(" cluster=").append(random.nextInt(6) == 0 ? "west" : "east");
        node.append(zones == 0 || random.nextInt(4) == 0 ? "" : " zone=z" + random.nextInt(zones));
        node.append(random.nextInt(8) == 0 ? "" : " block=b" + random.nextInt(2));
        node.append(random.nextInt(8) == 0 ? "" : " rack=r" + random.nextInt(2));
        int gpus = 1 + random.nextInt(2);
        node.append(" gpus=").append(gpus).append(" flavor=").append(flavor);
        boolean shared = random.nextInt(3) == 0;
        node.append(shared ? " shares=" + SHARES[random.nextInt(SHARES.length)] : "");
        if (!flavor.equals("c")) {
            node.append(flavor.equals("a") ? " mig=a100-40gb" : " mig=a100-80gb");
            boolean room = gpus > (shared ? 1 : 0);
            node.append(room && random.nextInt(4) > 0 ? " cut=" + cut(random, flavor.equals("a") ? 0 : 1) : "");
        }
        node.append(" cpu=").append(2 + random.nextInt(8));
        node.append(random.nextInt(8) == 0 ? " slots=" + random.nextInt(4) : "");
        node.append(random.nextInt(12) == 0 ? " closed" : "");
        return node.toString();
    }

    /** One to four instances at places that do not overlap. */
    private static String cut(Random random, int layout) {
        List<String> instances = new ArrayList<>();
        int mask = 0;
        int wanted = 1 + random.nextInt(4);
        for (int tries = 0; tries < 20 && instances.size() < wanted; tries++) {
            List<MigProfile> profiles = MigLayouts.ALL.get(layout).profiles();
            MigProfile profile = profiles.get(random.nextInt(tries < 2 ? 4 : 2));
            int start = profile.starts().get(random.nextInt(profile.starts().size()));
            int bits = new MigInstance(profile.name(), start, profile.units()).bits();
            if ((mask & bits) == 0) {
                mask |= bits;
                instances.add(profile.name() + "@" + start);
            }
        }
        return String.join("/", instances);
    }

    private static String job(Random random, Kind wishes, boolean ruled) {
        boolean bound = wishes == Kind.AFFINITY;
        int sets = bound || random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
        StringBuilder job = new StringBuilder();
        for (int s = 0; s < sets; s++) {
            int segment = wishes == Kind.SEGMENTS ? 1 + random.nextInt(sets == 1 ? 3 : 2) : 1;
            int count = (1 + random.nextInt(sets == 1 ? segment == 1 ? 4 : 2 : segment == 1 ? 2 : 1)) * segment;
            job.append(s == 0 ? "s0" : " + s" + s).append(" pods=").append(count);
            int least = count / segment;
            job.append(least > 1 && random.nextInt(5) == 0 ? " min=" + (1 + random.nextInt(least - 1)) * segment : "");
            boolean mig = wishes == Kind.MIG && random.nextInt(4) > 0;
            job.append(mig ? " mig=" + PROFILES[random.nextInt(PROFILES.length)] : "");
            int kind = mig ? 0 : random.nextInt(8);
            job.append(kind < 3 && !mig ? " gpus=" + (1 + random.nextInt(2 + random.nextInt(2))) : "");
            job.append(kind >= 3 && kind < 7 ? " share=" + SHARES[random.nextInt(SHARES.length)] : "");
            job.append(random.nextInt(2) == 0 ? " cpu=" + (1 + random.nextInt(3)) : "");
            job.append(random.nextInt(4) == 0 ? " memory=" + (1 + random.nextInt(3)) : "");
            String[] flavors = {"", "", "", "", " flavors=a", " flavors=a,b", " flavors=b", " flavors=b,a"};
            job.append(kind == 7 ? "" : flavors[random.nextInt(flavors.length)]);
            job.append(wishes == Kind.NICS && random.nextInt(3) > 0 ? NICS[random.nextInt(NICS.length)] : "");
            job.append(ruled ? rules(random) : "");
            job.append(s == 0 ? topology(random) : "");
            job.append(hasWishesOfSets(wishes) ? ofSet(random) : "");
            job.append(bound ? affinity(random, s, sets) : "");
            job.append(segment > 1 ? " segment=" + segment + "@" + LEVELS[random.nextInt(LEVELS.length)] : "");
        }
        return job.toString();
    }

    private static boolean hasWishesOfSets(Kind kind) {
        return kind == Kind.WISHES_OF_SETS || kind == Kind.SEGMENTS || kind == Kind.AFFINITY;
    }

    /** Each GPU in a place of its own, or all in one, or nobody knows. */
    private static String places(Random random, String node) {
        int gpus = Integer.parseInt(node.replaceFirst(".* gpus=(\\d+).*", "$1"));
        boolean known = gpus > 0 && random.nextInt(4) > 0;
        return !known ? "" : " places=" + (random.nextBoolean() ? gpus : "1" + ",1".repeat(gpus - 1));
    }

    /** Up to three groups; some NICs are held. */
    private static String nics(Random random) {
        List<String> groups = new ArrayList<>();
        List<String> held = new ArrayList<>();
        String[] names = {"0@0", "0@1", "0", "ib:0@0", "ib:0"};
        for (String name : names) {
            if (random.nextInt(3) == 0 && groups.size() < 3) {
                int count = 1 + random.nextInt(3);
                groups.add(name.replaceFirst("0", Integer.toString(count)));
                held.add(Integer.toString(random.nextInt(3) == 0 ? random.nextInt(count + 1) : 0));
            }
        }
        return groups.isEmpty() ? "" : " nics=" + String.join(",", groups) + " nicsUsed=" + String.join(",", held);
    }

    private static String traits(Random random) {
        return LABELS[random.nextInt(LABELS.length)] + TAINTS[random.nextInt(TAINTS.length)];
    }

    private static String rules(Random random) {
        return (random.nextInt(4) == 0 ? SELECTORS[random.nextInt(SELECTORS.length)] : "")
                + TOLERATIONS[random.nextInt(TOLERATIONS.length)];
    }

    private static String affinity(Random random, int set, int sets) {
        int other = random.nextInt(sets);
        String level = "=s" + other + "@" + LEVELS[1 + random.nextInt(LEVELS.length - 1)];
        return other == set ? "" : (random.nextInt(3) > 0 ? " together" : " apart") + level;
    }

    private static String ofSet(Random random) {
        String wish = random.nextInt(3) == 0 ? " own=" + LEVELS[random.nextInt(LEVELS.length)] : "";
        return random.nextInt(3) == 0 ? wish + " ownPreferred=" + LEVELS[random.nextInt(LEVELS.length)] : wish;
    }

    private static String topology(Random random) {
        String wish = random.nextInt(3) == 0 ? " required=" + LEVELS[random.nextInt(LEVELS.length)] : "";
        return random.nextInt(3) == 0 ? wish + " preferred=" + LEVELS[random.nextInt(LEVELS.length)] : wish;
    }
}
