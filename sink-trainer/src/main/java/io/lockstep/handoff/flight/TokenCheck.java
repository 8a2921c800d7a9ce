package io.lockstep.handoff.flight;

import io.lockstep.run.RunToken;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallInfo;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.RequestContext;

/** Rejects every call without the run's token before its request is read. */
final class TokenCheck implements FlightServerMiddleware.Factory<TokenCheck.Passed> {

    static final FlightServerMiddleware.Key<Passed> KEY =
            FlightServerMiddleware.Key.of("lockstep-token");

    private static final String HEADER = "authorization";

    private static final String WHAT_TO_SET =
            ": set LOCKSTEP_RUN to the run directory, whose file 'token' holds it, or"
                    + " LOCKSTEP_TOKEN_FILE to a copy of that file, or LOCKSTEP_TOKEN to its"
                    + " content";

    private final RunToken token;

    TokenCheck(RunToken token) {
        this.token = token;
    }

    @Override
    public Passed onCallStarted(CallInfo call, CallHeaders headers, RequestContext context) {
        String given = headers.get(HEADER);
        if (token.authorizes(given)) {
            return Passed.INSTANCE;
        }
        throw CallStatus.UNAUTHENTICATED
                .withDescription(
                        (given == null
                                        ? "the call carries no token"
                                        : "the call does not carry the token of this run")
                                + WHAT_TO_SET)
                .toRuntimeException();
    }

    /** Does nothing: the call had the token. */
    static final class Passed implements FlightServerMiddleware {

        private static final Passed INSTANCE = new Passed();

        private Passed() {}

        @Override
        public void onBeforeSendingHeaders(CallHeaders outgoing) {}

        @Override
        public void onCallCompleted(CallStatus status) {}

        @Override
        public void onCallErrored(Throwable error) {}
    }
}
