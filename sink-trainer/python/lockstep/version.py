"""The version of this package, as pyproject.toml states it too."""

__version__ = "0.1.0"
