package io.lockstep.handoff.client;

import io.lockstep.run.RunDirectory;
import io.lockstep.run.RunToken;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The credentials that a client presents to the servers of a run.
 *
 * @param token null if the run has none yet: the servers then say what to set
 * @param ca the path of the CA certificates for every server, overriding the path that a server
 *     announces; null for the announced path, else the system's certificates
 */
@PublicEvolving
public record Credentials(@Nullable RunToken token, @Nullable String ca) {

    /** The environment variable that names a file of certificates. */
    private static final String CA_VARIABLE = "LOCKSTEP_TLS_CA";

    public Credentials(@Nullable RunToken token) {
        this(token, null);
    }

    /**
     * Returns the credentials of this process: {@code LOCKSTEP_TOKEN}, else {@code
     * LOCKSTEP_TOKEN_FILE}, else the token in the run directory.
     *
     * @throws io.lockstep.UserException if the token is malformed or cannot be read
     */
    public static Credentials of(RunDirectory run) throws IOException {
        return of(run, System.getenv());
    }

    static Credentials of(RunDirectory run, Map<String, String> environment) throws IOException {
        Optional<RunToken> token = RunToken.ofEnvironment(environment);
        return new Credentials(
                (token.isPresent() ? token : run.readToken()).orElse(null),
                environment.get(CA_VARIABLE));
    }
}
