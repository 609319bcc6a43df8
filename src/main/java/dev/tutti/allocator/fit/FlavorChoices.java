package dev.tutti.allocator.fit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Every way to give each pod set one flavor, best first. The first pod set's wish weighs most: the last set's flavor
 * changes first, like the last digit of a counter. Choices made of the same rounds are equally welcome and stand
 * together. At most {@link #MOST} choices are looked at; where there are more, those of {@link FewChoices}.
 */
final class FlavorChoices {

    static final int MOST = 256;

    private FlavorChoices() {}

    /** Rounds of choices; a choice is the flavor of each pod set. */
    static int[][][] of(int[][][] roundsOfSet) {
        if (!areAll(roundsOfSet)) {
            return FewChoices.of(roundsOfSet).inRounds();
        }
        int[] sizes = new int[roundsOfSet.length];
        for (int s = 0; s < sizes.length; s++) {
            sizes[s] = roundsOfSet[s].length;
        }
        List<int[][]> rounds = new ArrayList<>();
        int left = MOST;
        for (int[] pick : counter(sizes, MOST)) {
            int[][] round = product(roundsOfSet, pick, left);
            left -= round.length;
            if (round.length > 0) {
                rounds.add(round);
            }
        }
        return rounds.toArray(int[][][]::new);
    }

    /** Whether {@link #of} looks at every choice there is. */
    static boolean areAll(int[][][] roundsOfSet) {
        long all = 1;
        for (int[][] rounds : roundsOfSet) {
            long flavors =
                    Arrays.stream(rounds).mapToLong(round -> round.length).sum();
            all = Math.min(MOST + 1L, all * flavors);
        }
        return all <= MOST;
    }

    private static int[][] product(int[][][] roundsOfSet, int[] pick, int most) {
        int[][] flavors = new int[pick.length][];
        int[] sizes = new int[pick.length];
        for (int s = 0; s < sizes.length; s++) {
            flavors[s] = roundsOfSet[s][pick[s]];
            sizes[s] = flavors[s].length;
        }
        int[][] choices = counter(sizes, most);
        for (int[] choice : choices) {
            for (int s = 0; s < choice.length; s++) {
                choice[s] = flavors[s][choice[s]];
            }
        }
        return choices;
    }

    /** The first {@code most} readings of a counter with these digit sizes; none when a size is 0. */
    private static int[][] counter(int[] sizes, int most) {
        List<int[]> readings = new ArrayList<>();
        for (int size : sizes) {
            if (size == 0) {
                return new int[0][];
            }
        }
        int[] digits = new int[sizes.length];
        boolean more = true;
        while (more && readings.size() < most) {
            readings.add(digits.clone());
            int digit = sizes.length - 1;
            while (digit >= 0 && ++digits[digit] == sizes[digit]) {
                digits[digit--] = 0;
            }
            more = digit >= 0;
        }
        return readings.toArray(int[][]::new);
    }
}
