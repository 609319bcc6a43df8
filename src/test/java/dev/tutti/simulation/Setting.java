package dev.tutti.simulation;

/**
 * How large a run is. A tick is one second of virtual time.
 *
 * @param ticks ticks at the least; jobs are submitted in the first half, things go wrong in the first two thirds
 * @param jobs jobs submitted
 * @param patience ticks beyond which every job must have ended
 */
record Setting(int ticks, int jobs, int patience) {

    static Setting of(int ticks, int jobs) {
        return new Setting(ticks, jobs, 3 * ticks + 1_000);
    }

    int lastSubmit() {
        return ticks / 2;
    }

    int lastTrouble() {
        return ticks * 2 / 3;
    }
}
