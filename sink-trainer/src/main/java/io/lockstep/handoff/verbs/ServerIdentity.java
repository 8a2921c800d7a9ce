package io.lockstep.handoff.verbs;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Messages;
import java.util.Optional;

/**
 * The server that requests must name. A server, perhaps of another run, may start at the address of
 * a dead one, and a client's channel then connects to it.
 *
 * @param run the run directory
 * @param task the attempt of this server's task
 */
public record ServerIdentity(String run, String task) {

    /**
     * @throws HandoffException if a request names the task of another server
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
