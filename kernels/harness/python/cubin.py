"""What a cubin says of its kernels: ELF64 with a section .text.NAME each."""
import struct

REGISTERS, FRAME = 0x2F, 0x11  # attributes of .nv.info, each with a symbol and a number


def sections(cubin):
    start, = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    heads = [struct.unpack_from("<IIQQQQIIQQ", cubin, start + i * size) for i in range(count)]
    text = cubin[heads[names][4]:heads[names][4] + heads[names][5]]
    for head in heads:
        yield text[head[0]:text.index(b"\0", head[0])].decode(), head


def attributes(data, wanted):
    """The largest number among the entries of one kind."""
    at, found = 0, None
    while at + 4 <= len(data):
        form, kind, size = struct.unpack_from("<BBH", data, at)
        if form == 4 and kind == wanted and size >= 8:
            found = max(found or 0, struct.unpack_from("<I", data, at + 8)[0])
        at += 4 + (size if form == 4 else 0)
    return found


def resources(cubin):
    """Registers, bytes of stack (spills are among them) and bytes of shared memory, as far as they are known."""
    facts = dict(registers=None, stack=None, shared=0)
    if cubin[:4] != b"\x7fELF":
        return facts
    for name, head in sections(cubin):
        if name == ".nv.info":
            data = cubin[head[4]:head[4] + head[5]]
            facts["registers"], facts["stack"] = attributes(data, REGISTERS), attributes(data, FRAME)
        if name.startswith(".text.") and facts["registers"] is None:
            facts["registers"] = head[7] >> 24
        if name.startswith(".nv.shared."):
            facts["shared"] += head[5]
    return facts
