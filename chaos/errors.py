"""The reasons why a schedule ends early."""

from __future__ import annotations


class DifferenceError(Exception):
    """The disturbed run differs from an undisturbed one. One sentence."""


class CampaignError(Exception):
    """The runner cannot continue: a tool or a permission is missing. One sentence."""
