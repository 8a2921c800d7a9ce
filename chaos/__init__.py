"""Injects random faults into a real Flink cluster and real trainers, and checks that no step
changes.
"""
