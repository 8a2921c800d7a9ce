"""Why a schedule ends before its time."""

from __future__ import annotations


class DifferenceError(Exception):
    """The disturbed run is not what an undisturbed run would have been. One sentence."""


class CampaignError(Exception):
    """The runner itself cannot go on: a tool or a right is missing. One sentence."""
