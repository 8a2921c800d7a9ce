"""What the job's JVM takes of memory."""
