"""The operations that every row passes through, measured separately with JMH."""
