package dev.tutti.allocator;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A fleet and a gang whose pod sets must be apart, made from a seed so that there is a place for it: first each set gets
 * parts of a level for itself, then it asks for as many pods as they hold, or a few less; which parts they were is not
 * told.
 */
record HiddenCase(List<String> fleet, String job) {

    /** What makes it hard. */
    enum Kind {
        /** Nodes of one size, apart by node. */
        EQUAL_NODES,
        /** Nodes of 1 to 8 GPUs, some in use, little CPU, apart by node, rack or block. */
        MIXED,
        /** The same, and some sets may use nodes with a label only. */
        SELECTORS,
        /** The same as mixed with a second set in the same part, together with the first. */
        TOGETHER,
        /** The same as mixed; half of the pairs of sets may share parts. */
        SOME_PAIRS,
        /** Shares and MIG instances beside whole GPUs. */
        SLICES,
        /** The minimum fits as hidden; more is wished for. */
        ELASTIC
    }

    private static final String[] LEVELS = {"hostname", "hostname", "rack", "block"};
    private static final int[] SHARES = {100, 200, 250, 300, 400, 500, 700};

    static HiddenCase of(long seed, Kind kind) {
        return new Maker(new Random(seed), kind).make();
    }

    /** A node as far as the pods of these cases see it. */
    private record Node(int rack, int block, int gpus, int used, int cpu, int label, boolean mig) {

        /** Pods of so many whole GPUs, or shares of a thousandth, that fit. */
        int holds(Ask ask) {
            if (ask.label >= 0 && ask.label != label || ask.mig && !mig) {
                return 0;
            }
            int free = gpus - used;
            int byGpu = ask.mig ? 7 * free : ask.share > 0 ? free * (1_000 / ask.share) : free / ask.gpus;
            return ask.cpu == 0 ? byGpu : Math.min(byGpu, cpu / ask.cpu);
        }

        String text(int n) {
            return "n" + n + " block=b" + block + " rack=r" + rack + " gpus=" + gpus
                    + (used > 0 ? " used=" + used : "") + " cpu=" + cpu + (mig ? " flavor=a mig=a100-40gb" : "")
                    + (label >= 0 ? " labels=p:x" + label : "");
        }
    }

    private record Ask(int gpus, int share, boolean mig, int cpu, int label) {

        String text() {
            return (mig ? " mig=1g.5gb" : share > 0 ? " share=" + share : " gpus=" + gpus)
                    + (cpu > 0 ? " cpu=" + cpu : "")
                    + (label >= 0 ? " select=p:x" + label : "");
        }
    }

    private static final class Maker {
        private final Random random;
        private final Kind kind;
        private final String level;
        private final List<Node> nodes = new ArrayList<>();

        Maker(Random random, Kind kind) {
            this.random = random;
            this.kind = kind;
            this.level = kind == Kind.EQUAL_NODES ? "hostname" : LEVELS[random.nextInt(LEVELS.length)];
        }

        HiddenCase make() {
            nodes.clear();
            int count = 10 + random.nextInt(70);
            boolean mig = kind == Kind.SLICES && random.nextBoolean();
            int[] gpus = kind == Kind.EQUAL_NODES ? new int[] {8} : new int[] {1, 2, 4, 6, 8, 8};
            for (int n = 0; n < count; n++) {
                nodes.add(node(n, gpus[random.nextInt(gpus.length)], mig));
            }
            List<List<Node>> parts = parts();
            StringBuilder job = new StringBuilder();
            int sets = Math.min(parts.size(), 2 + random.nextInt(kind == Kind.TOGETHER ? 7 : 15));
            List<List<Node>> ofSet = shared(parts, sets);
            int written = 0;
            for (int s = 0; s < sets; s++) {
                String asked = set(ofSet.get(s), written);
                written += asked.isEmpty() ? 0 : 1;
                job.append(asked);
            }
            if (written == 0) {
                return make();
            }
            List<String> fleet = new ArrayList<>();
            for (int n = 0; n < nodes.size(); n++) {
                fleet.add(nodes.get(n).text(n));
            }
            return new HiddenCase(fleet, job.toString());
        }

        private Node node(int n, int gpus, boolean mig) {
            int rack = n / 4;
            boolean easy = kind == Kind.EQUAL_NODES || kind == Kind.SLICES;
            int used = easy || random.nextInt(3) > 0 ? 0 : random.nextInt(gpus);
            int cpu = easy ? 1_000 : gpus * (1 + random.nextInt(4));
            int label = kind == Kind.SELECTORS ? random.nextInt(3) : -1;
            return new Node(rack, rack / 2, gpus, used, cpu, label, mig);
        }

        private List<List<Node>> parts() {
            List<List<Node>> parts = new ArrayList<>();
            int last = -1;
            for (int n = 0; n < nodes.size(); n++) {
                Node node = nodes.get(n);
                int part = level.equals("rack") ? node.rack : level.equals("block") ? node.block : n;
                if (part != last) {
                    parts.add(new ArrayList<>());
                }
                parts.get(parts.size() - 1).add(node);
                last = part;
            }
            return parts;
        }

        /** Every set gets one part at least; of the others nine of ten go to some set. */
        private List<List<Node>> shared(List<List<Node>> parts, int sets) {
            List<List<Node>> rest = new ArrayList<>(parts);
            Collections.shuffle(rest, random);
            List<List<Node>> ofSet = new ArrayList<>();
            for (int s = 0; s < sets; s++) {
                ofSet.add(new ArrayList<>(rest.remove(0)));
            }
            for (List<Node> part : rest) {
                if (kind != Kind.TOGETHER && random.nextInt(10) > 0) {
                    ofSet.get(random.nextInt(sets)).addAll(part);
                }
            }
            return ofSet;
        }

        /** Empty when the parts hold no pod of the shape that was drawn. */
        private String set(List<Node> own, int index) {
            Ask ask = ask(own);
            int holds = own.stream().mapToInt(node -> node.holds(ask)).sum();
            int wanted = holds - (random.nextBoolean() ? random.nextInt(1 + holds / 4) : 0);
            if (wanted <= 0) {
                return "";
            }
            String name = "s" + index;
            int more = kind == Kind.ELASTIC ? random.nextInt(4) : 0;
            String first = name + (index == 0 ? required() : "") + ask.text() + " pods=" + (wanted + more) + " min="
                    + wanted + apart(index);
            String text = (index == 0 ? "" : " + ") + first;
            return kind == Kind.TOGETHER ? text + mate(own, ask, name, wanted) : text;
        }

        private static String required() {
            return " required=cluster";
        }

        /** Pods without GPUs beside the others, wherever CPU is left. */
        private String mate(List<Node> own, Ask ask, String name, int wanted) {
            int cpu = 1 + random.nextInt(3);
            int left = wanted;
            int room = 0;
            for (Node node : own) {
                int here = Math.min(left, node.holds(ask));
                left -= here;
                room += Math.max(0, node.cpu - here * ask.cpu) / cpu;
            }
            int mates = Math.min(room / 2, 1 + random.nextInt(5));
            String on = level.equals("hostname") ? "hostname" : random.nextBoolean() ? level : "block";
            return mates == 0 ? "" : " + m" + name + " cpu=" + cpu + " pods=" + mates + " together=" + name + "@" + on;
        }

        private Ask ask(List<Node> own) {
            int label = kind == Kind.SELECTORS && random.nextBoolean() ? own.get(0).label : -1;
            int gpus = 1 + random.nextInt(random.nextInt(4) == 0 ? 8 : 4);
            int cpu = kind == Kind.MIXED || random.nextInt(3) == 0 ? random.nextInt(9) : 0;
            if (kind == Kind.SLICES && random.nextInt(3) > 0) {
                return nodes.get(0).mig && random.nextBoolean()
                        ? new Ask(0, 0, true, 0, label)
                        : new Ask(0, SHARES[random.nextInt(SHARES.length)], false, 0, label);
            }
            return new Ask(gpus, 0, false, cpu, label);
        }

        private String apart(int index) {
            List<String> others = new ArrayList<>();
            for (int o = 0; o < index; o++) {
                if (kind != Kind.SOME_PAIRS || random.nextBoolean()) {
                    others.add("s" + o + "@" + level);
                }
            }
            return others.isEmpty() ? "" : " apart=" + String.join(",", others);
        }
    }
}
