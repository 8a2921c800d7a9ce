package io.lockstep.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this build. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"lockstep " + (version == null ? "(not packaged)" : version)};
    }
}
