"""The memory of the job's JVM."""
