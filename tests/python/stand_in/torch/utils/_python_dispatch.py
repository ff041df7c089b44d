import contextlib


class TorchDispatchMode(contextlib.AbstractContextManager):
    def __exit__(self, *error):
        return None
