package io.lockstep.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Why a request failed. All errors of one code call for the same action by the client. */
public enum ErrorCode {
    /** The client speaks another version of the protocol. */
    VERSION,
    /** A newer generation of trainers has taken over. */
    FENCED,
    /** The run has no such stream. */
    UNKNOWN_STREAM,
    /** The server does not hold the lane, or no longer does: read the routing again. */
    NOT_HERE,
    /** The server does not have the connection: attach again. */
    UNKNOWN_CONNECTION,
    /** Asking again gives the same answer. */
    REFUSED,
    /** The run is done; nothing more is served. */
    DONE,
    /** The server failed to answer a valid request. */
    FAILED,
    /** The request does not follow the protocol. */
    BAD_REQUEST;

    /** The name on the wire: lower case, with hyphens. */
    @JsonValue
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The code of that name; {@link #FAILED} for a name of a later release. */
    @JsonCreator
    public static ErrorCode of(String wireName) {
        for (ErrorCode code : values()) {
            if (code.wireName().equals(wireName)) {
                return code;
            }
        }
        return FAILED;
    }
}
