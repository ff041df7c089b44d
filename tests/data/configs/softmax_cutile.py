from types import SimpleNamespace


def configs():
    yield SimpleNamespace(TILE=128, occupancy=2)
    yield SimpleNamespace(TILE=256, occupancy=4)
