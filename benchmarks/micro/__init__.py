"""The parts that every row passes through, one by one, by JMH."""
