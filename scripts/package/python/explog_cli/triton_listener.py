"""What Triton's autotuner measures, kept: one JSON line a tuned kernel in the file that EXPLOG_TRITON_LOG names.

    EXPLOG_TRITON_LOG=tuned.jsonl python -c 'import explog_cli.triton_listener, my_program'
    explog import tuned.jsonl

Importing this module sets triton.knobs.autotuning.listener; one that was there is called as before. Nothing that goes
wrong here reaches the program.
"""
import hashlib
import json
import os


def _device():
    """What explog is told of the GPU: its arch as Triton names it, and the card's name where PyTorch knows it."""
    from triton.runtime import driver
    target = driver.active.get_current_target()
    arch = f"sm_{target.arch}" if isinstance(target.arch, int) else str(target.arch)
    try:
        import torch
        return arch, torch.cuda.get_device_name(driver.active.get_current_device())
    except Exception:
        return arch, ""


def line_of(fn, key, best_config, configs_timings, duration, cache_hit, arch="", device="", triton=""):
    """The event as one line. Times stay as the tuner's timer gave them: milliseconds of 50, 20 and 80%."""
    plain_types = (bool, int, float, str, type(None))

    def plain(config):
        """Arguments of the kernel, and every setting beside them that is a number, a word, a flag or not set."""
        return {"kwargs": {k: v if isinstance(v, plain_types) else repr(v) for k, v in config.kwargs.items()},
                **{k: v for k, v in vars(config).items() if k != "kwargs" and isinstance(v, plain_types)}}
    source = getattr(fn, "src", "") or ""
    return json.dumps({
        "format": 1, "fn": getattr(fn, "__name__", str(fn)), "source_sha256": hashlib.sha256(source.encode()).hexdigest(),
        "key": [str(k) for k in key], "arch": arch, "device": device, "triton": triton, "best": plain(best_config),
        "timings": [[plain(c), list(t) if isinstance(t, (list, tuple)) else t] for c, t in (configs_timings or {}).items()],
        "duration_s": duration, "cache_hit": bool(cache_hit)})


def listener(*, fn, key, best_config, configs_timings, duration, cache_hit, **_):
    try:
        import triton
        arch, device = _device()
        line = line_of(fn, key, best_config, configs_timings, duration, cache_hit, arch, device, f"triton {triton.__version__}")
        if not cache_hit and os.environ.get("EXPLOG_TRITON_LOG"):
            with open(os.environ["EXPLOG_TRITON_LOG"], "a", encoding="utf-8") as log:
                log.write(line + "\n")  # one write: other processes append to the same file
    except Exception:
        pass
    if _before is not None:
        _before(fn=fn, key=key, best_config=best_config, configs_timings=configs_timings, duration=duration, cache_hit=cache_hit)


def _install():
    try:
        from triton import knobs
        before, knobs.autotuning.listener = knobs.autotuning.listener, listener
        return before
    except Exception:
        return None


_before = _install()
