package io.lockstep.expression;

import org.apache.arrow.vector.types.TimeUnit;

/** Units of timestamps. */
final class Times {

    private static final long PER_DAY = 86_400;

    private Times() {}

    /** Returns the coarsest unit that holds a fraction of a second. */
    static TimeUnit unit(int nanos) {
        for (TimeUnit unit : TimeUnit.values()) {
            if (nanos % (perSecond(TimeUnit.NANOSECOND) / perSecond(unit)) == 0) {
                return unit;
            }
        }
        throw new IllegalArgumentException(String.valueOf(nanos));
    }

    static TimeUnit finer(TimeUnit one, TimeUnit other) {
        return perSecond(one) >= perSecond(other) ? one : other;
    }

    static long perSecond(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> 1;
            case MILLISECOND -> 1_000;
            case MICROSECOND -> 1_000_000;
            case NANOSECOND -> 1_000_000_000;
        };
    }

    /** Returns by how much values of a date or timestamp are multiplied to have another unit. */
    static long factor(Type from, Type to) {
        return from.is(Type.Kind.DATE)
                ? PER_DAY * perSecond(to.unit())
                : perSecond(to.unit()) / perSecond(from.unit());
    }
}
