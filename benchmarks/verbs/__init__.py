"""The part verbs: what answers without a cluster."""
