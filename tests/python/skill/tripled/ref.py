def reference(**given):
    given["y"][...] = given["x"][:] * 3.0
