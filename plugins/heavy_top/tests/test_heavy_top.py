"""The heavy top."""

from semidirect_heavy_top import HeavyTop

from semidirect.testing.system_contract import system_contract

TestHeavyTop = system_contract(HeavyTop)
