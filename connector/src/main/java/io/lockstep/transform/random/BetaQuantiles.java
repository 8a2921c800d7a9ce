package io.lockstep.transform.random;

import java.io.Serializable;

/**
 * The quantiles of the symmetric beta distribution Beta(alpha, alpha) at n / {@link #INTERVALS},
 * with linear interpolation between them. Computed with StrictMath: equal bits on every machine.
 */
final class BetaQuantiles implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final int INTERVALS = 4096;
    private static final int HALVINGS = 60;
    private static final int FRACTIONS = 500;
    private static final double SMALLEST = 1e-300;
    private static final double PRECISION = 1e-15;

    private final double[] quantiles = new double[INTERVALS + 1];

    /**
     * @param alpha from 0.01 to 100
     */
    BetaQuantiles(double alpha) {
        // The integral of the density over its lower half, which must be 1/2, gives its scale.
        double scale = 0.5 / lower(alpha, 0.5);
        for (int i = 0; i <= INTERVALS / 2; i++) {
            quantiles[i] = quantile(alpha, scale, (double) i / INTERVALS);
            quantiles[INTERVALS - i] = 1 - quantiles[i];
        }
    }

    /**
     * Returns a quantile.
     *
     * @param probability in [0, 1)
     */
    double at(double probability) {
        double place = probability * INTERVALS;
        int below = (int) place;
        double rest = place - below;
        return quantiles[below] + rest * (quantiles[below + 1] - quantiles[below]);
    }

    private static double quantile(double alpha, double scale, double probability) {
        double low = 0;
        double high = 0.5;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (scale * lower(alpha, middle) < probability) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    /**
     * Returns the incomplete beta integral from 0 to x without its scale, for x up to 1/2: the
     * continued fraction of NIST's Digital Library of Mathematical Functions, 8.17.22, by Lentz's
     * method.
     */
    private static double lower(double a, double x) {
        if (x == 0) {
            return 0;
        }
        double c = 1;
        double d = 1 / nonZero(1 - 2 * a * x / (a + 1));
        double fraction = d;
        for (int m = 1; m <= FRACTIONS; m++) {
            double even = m * (a - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / nonZero(1 + even * d);
            c = nonZero(1 + even / c);
            fraction *= d * c;
            double odd = -(a + m) * (2 * a + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / nonZero(1 + odd * d);
            c = nonZero(1 + odd / c);
            fraction *= d * c;
            if (Math.abs(d * c - 1) < PRECISION) {
                break;
            }
        }
        return StrictMath.pow(x, a) * StrictMath.pow(1 - x, a) / a * fraction;
    }

    private static double nonZero(double value) {
        return Math.abs(value) < SMALLEST ? SMALLEST : value;
    }
}
