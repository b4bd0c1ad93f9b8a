"""The vertical rolling disk."""

from semidirect_rolling_disk import RollingDisk

from semidirect.testing.system_contract import system_contract

TestRollingDisk = system_contract(RollingDisk)
