import triton


def softmax(x, y):
    pass


class Model:
    def forward(self, x):
        return x
