package io.lockstep.protocol;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How batches reach a trainer. */
public enum Transport {
    /** Through a file in memory that both processes map. */
    @JsonProperty("shm")
    SHARED_MEMORY,
    /** In Arrow Flight messages. */
    @JsonProperty("flight")
    FLIGHT
}
