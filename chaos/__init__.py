"""Random faults against a real Flink cluster and real trainers: is every step still the same?"""
