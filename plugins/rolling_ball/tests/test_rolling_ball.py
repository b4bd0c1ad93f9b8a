"""The rolling ball and its presets."""

from semidirect_rolling_ball import RollingBall, chaplygin_ball, routh_sphere

from semidirect.testing.system_contract import system_contract

TestRollingBall = system_contract(RollingBall)
TestRouthSphere = system_contract(routh_sphere)
TestChaplyginBall = system_contract(chaplygin_ball)
