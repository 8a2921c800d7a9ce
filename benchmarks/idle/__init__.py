"""What a job and trainers use while they wait."""
