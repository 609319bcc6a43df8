package dev.tutti.allocator.fit;

/** Where a pod may go: some ranges of positions. */
final class Area {

    int[] lo;
    int[] hi;
    int size;

    Area(int capacity) {
        lo = new int[capacity];
        hi = new int[capacity];
    }

    static Area of(int lo, int hi) {
        Area area = new Area(1);
        area.add(lo, hi);
        return area;
    }

    void add(int from, int to) {
        lo[size] = from;
        hi[size] = to;
        size++;
    }
}
