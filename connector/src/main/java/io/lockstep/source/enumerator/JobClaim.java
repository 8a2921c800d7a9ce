package io.lockstep.source.enumerator;

import io.lockstep.UserException;
import io.lockstep.run.JobEntry;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job's claim to a run directory: the job that dealt its lanes last serves the run.
 *
 * <p>Trainers find the servers of the last one only. A former one that still ran would keep its
 * memory for nobody, or, worse, hear one rank's commits while the other's go to the last. There is
 * no lock, since an object store has none.
 */
final class JobClaim {

    private static final Logger LOG = LoggerFactory.getLogger(JobClaim.class);

    private final RunDirectory run;
    private final String job;

    JobClaim(RunDirectory run, String job) {
        this.run = run;
        this.job = job;
    }

    void take() throws IOException {
        run.writeJob(new JobEntry(job));
    }

    /**
     * @param present whose claim there is now
     * @param failure why that is not known, or null: it is looked at again
     * @throws UserException if another job has claimed the run
     */
    void check(Optional<JobEntry> present, Throwable failure) {
        if (failure != null) {
            LOG.debug("The job of the run in {} cannot be read", run.root(), failure);
            return;
        }
        if (present.isPresent() && !present.get().job().equals(job)) {
            throw new UserException(
                    "the job "
                            + present.get().job()
                            + " was started later for the run in "
                            + run.root()
                            + " and serves it now; this one ends: a run has one job at a time");
        }
    }
}
