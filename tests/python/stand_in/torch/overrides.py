import contextlib


class TorchFunctionMode(contextlib.AbstractContextManager):
    def __exit__(self, *error):
        return None
