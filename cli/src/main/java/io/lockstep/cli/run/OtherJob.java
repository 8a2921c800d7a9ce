package io.lockstep.cli.run;

import io.lockstep.UserException;
import io.lockstep.cli.servers.ServerProbe;
import io.lockstep.cli.servers.ServerProbe.Presence;
import io.lockstep.run.JobEntry;
import io.lockstep.run.JobEntry.State;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.util.Optional;

/** The job that serves a run when another one is submitted for it. */
public final class OtherJob {

    private OtherJob() {}

    /**
     * Refuses a submission while another job serves the run: the new job would end the other one.
     *
     * @param own the id of the submitted job if it is known, which may have started before
     * @throws UserException if a server of a job with another id answers
     */
    public static void refuse(RunDirectory run, Optional<String> own) throws IOException {
        Optional<JobEntry> job = run.job().read();
        if (job.isPresent()
                && job.get().state() == State.RUNNING
                && !own.equals(job.map(JobEntry::job))
                && ServerProbe.look(run) == Presence.ANSWERING) {
            throw new UserException(
                    "the run in "
                            + run.root()
                            + " is served by the Flink job "
                            + job.get().job()
                            + ", whose servers answer: end that job first, choose another run"
                            + " directory, or end it and take over its run with --take-over");
        }
    }
}
