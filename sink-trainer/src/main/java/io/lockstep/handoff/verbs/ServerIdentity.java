package io.lockstep.handoff.verbs;

import io.lockstep.handoff.protocol.ErrorCode;
import io.lockstep.handoff.protocol.HandoffException;
import io.lockstep.handoff.protocol.Messages;
import java.util.Optional;

/**
 * Whom requests are for. A server may come to the address of a dead one, of another run perhaps,
 * and a client's channel connects to whoever is there.
 *
 * @param run the run directory
 * @param task the attempt of the task whose server this is
 */
public record ServerIdentity(String run, String task) {

    /**
     * @throws HandoffException where a request names the task of another server
     */
    public void check(byte[] request) {
        Optional<String> meant = Messages.task(request);
        if (meant.isPresent() && !meant.get().equals(task)) {
            throw new HandoffException(
                    ErrorCode.NOT_HERE,
                    "the server that was asked for is gone, and one of the run "
                            + run
                            + " listens in its place");
        }
    }
}
