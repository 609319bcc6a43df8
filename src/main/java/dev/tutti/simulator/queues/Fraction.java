package dev.tutti.simulator.queues;

import java.math.BigInteger;

/**
 * An exact number.
 *
 * @param over numerator
 * @param under denominator, above 0; both without a common divisor
 */
record Fraction(BigInteger over, BigInteger under) implements Comparable<Fraction> {

    static final Fraction ZERO = of(0);

    Fraction {
        if (under.signum() <= 0) {
            throw new IllegalArgumentException("a fraction over " + under);
        }
        BigInteger common = over.gcd(under);
        over = over.divide(common);
        under = under.divide(common);
    }

    static Fraction of(long whole) {
        return new Fraction(BigInteger.valueOf(whole), BigInteger.ONE);
    }

    static Fraction of(long over, long under) {
        return new Fraction(BigInteger.valueOf(over), BigInteger.valueOf(under));
    }

    Fraction plus(Fraction other) {
        return new Fraction(over.multiply(other.under).add(other.over.multiply(under)), under.multiply(other.under));
    }

    Fraction minus(Fraction other) {
        return plus(new Fraction(other.over.negate(), other.under));
    }

    Fraction times(long factor) {
        return new Fraction(over.multiply(BigInteger.valueOf(factor)), under);
    }

    /** @param parts above 0 */
    Fraction dividedBy(long parts) {
        return new Fraction(over, under.multiply(BigInteger.valueOf(parts)));
    }

    Fraction min(Fraction other) {
        return compareTo(other) <= 0 ? this : other;
    }

    double toDouble() {
        return over.doubleValue() / under.doubleValue();
    }

    @Override
    public int compareTo(Fraction other) {
        return over.multiply(other.under).compareTo(other.over.multiply(under));
    }
}
