

def main():
    kind, path = sys.argv[1], sys.argv[2]
    problem = {"kernel_bench": KernelBench, "gpu_mode": GpuMode, "skill": Skill}[kind]
    try:
        try:
            with torch.device("meta"), Meta():
                answer(problem(path).answer())
        except (Refused, SyntaxError):
            raise
        except Exception:
            if kind != "gpu_mode":
                raise
            DEVICE[0] = "cpu"  # what reads its own numbers has no shapes without them
            with Meta():
                answer(problem(path).answer())
    except Refused as error:
        answer({"error": str(error)})
    except SyntaxError as error:
        answer({"error": f"{os.path.basename(error.filename or path)}:{error.lineno}: {error.msg}"})
    except BaseException as error:
        answer({"error": " ".join(f"{type(error).__name__}: {error}".split())[:300]})


main()
