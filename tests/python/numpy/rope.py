def reference(x, cosines, sines, D):
    a, b = x[:, :, : D // 2].copy(), x[:, :, D // 2 :].copy()
    c, s = cosines[:, None, :], sines[:, None, :]
    x[:, :, : D // 2] = a * c - b * s
    x[:, :, D // 2 :] = b * c + a * s
