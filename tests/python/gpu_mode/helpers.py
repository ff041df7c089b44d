def halved(x):
    return x * 0.5
