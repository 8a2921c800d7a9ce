package io.lockstep.cli.option;

import picocli.CommandLine.Option;

/** Whether the functions of another user's run directory may be run. */
public final class TrustOption {

    @Option(
            names = "--trust",
            description =
                    "Run the Python functions of a run directory that belongs to another user.")
    private boolean trust;

    public boolean isGiven() {
        return trust;
    }
}
