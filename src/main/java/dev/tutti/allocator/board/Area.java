package dev.tutti.allocator.board;

/** Where a pod may go: some ranges of positions. */
public final class Area {

    public int[] lo;
    public int[] hi;
    public int size;

    public Area(int capacity) {
        lo = new int[capacity];
        hi = new int[capacity];
    }

    public static Area of(int lo, int hi) {
        Area area = new Area(1);
        area.add(lo, hi);
        return area;
    }

    public void add(int from, int to) {
        lo[size] = from;
        hi[size] = to;
        size++;
    }
}
