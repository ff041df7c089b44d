// Every parser's fuzz target as a plain function, so that the tests can replay its corpus.
#pragma once
#include <string_view>

namespace explog::fuzz {

void fuzz_experiences(std::string_view data);
void fuzz_perf_results(std::string_view data);
void fuzz_loop_pages(std::string_view data);
void fuzz_print_record(std::string_view data);
void fuzz_kernel_tuner(std::string_view data);
void fuzz_kernel_tuner_t4(std::string_view data);
void fuzz_triton_cache(std::string_view data);
void fuzz_triton_log(std::string_view data);
void fuzz_helion(std::string_view data);
void fuzz_cutlass(std::string_view data);
void fuzz_foreign_task(std::string_view data);
void fuzz_input(std::string_view data);
void fuzz_nvbench(std::string_view data);
void fuzz_explog_jsonl(std::string_view data);
void fuzz_strategy(std::string_view data);
void fuzz_search(std::string_view data);
void fuzz_json(std::string_view data);
void fuzz_campaign(std::string_view data);
void fuzz_task(std::string_view data);
void fuzz_measurement(std::string_view data);
void fuzz_signature(std::string_view data);
void fuzz_ncu(std::string_view data);
void fuzz_device(std::string_view data);
void fuzz_device_code(std::string_view data);
void fuzz_safetensors(std::string_view data);
void fuzz_segment(std::string_view data);
void fuzz_sweep(std::string_view data);
void fuzz_space(std::string_view data);
void fuzz_python_knobs(std::string_view data);
void fuzz_cuda_knobs(std::string_view data);
void fuzz_ladder(std::string_view data);
void fuzz_source(std::string_view data);
void fuzz_strategy_text(std::string_view data);
void fuzz_plan(std::string_view data);
void fuzz_config_files(std::string_view data);
void fuzz_tuned(std::string_view data);
void fuzz_mcp(std::string_view data);
void fuzz_work_plan(std::string_view data);
void fuzz_metric_lines(std::string_view data);

struct Target {
  std::string_view name;  // and of its folder in tests/fuzz/corpus
  void (*function)(std::string_view data);
};

inline constexpr Target targets[] = {{"experiences", fuzz_experiences},
                                     {"perf_results", fuzz_perf_results},
                                     {"loop_pages", fuzz_loop_pages},
                                     {"print_record", fuzz_print_record},
                                     {"kernel_tuner", fuzz_kernel_tuner},
                                     {"nvbench", fuzz_nvbench},
                                     {"kernel_tuner_t4", fuzz_kernel_tuner_t4},
                                     {"triton_cache", fuzz_triton_cache},
                                     {"triton_log", fuzz_triton_log},
                                     {"helion", fuzz_helion},
                                     {"cutlass", fuzz_cutlass},
                                     {"input", fuzz_input},
                                     {"foreign_task", fuzz_foreign_task},
                                     {"explog_jsonl", fuzz_explog_jsonl},
                                     {"strategy", fuzz_strategy},
                                     {"search", fuzz_search},
                                     {"json", fuzz_json},
                                     {"task", fuzz_task},
                                     {"campaign", fuzz_campaign},
                                     {"measurement", fuzz_measurement},
                                     {"signature", fuzz_signature},
                                     {"ncu", fuzz_ncu},
                                     {"device", fuzz_device},
                                     {"device_code", fuzz_device_code},
                                     {"sweep", fuzz_sweep},
                                     {"space", fuzz_space},
                                     {"python_knobs", fuzz_python_knobs},
                                     {"cuda_knobs", fuzz_cuda_knobs},
                                     {"ladder", fuzz_ladder},
                                     {"source", fuzz_source},
                                     {"strategy_text", fuzz_strategy_text},
                                     {"plan", fuzz_plan},
                                     {"tuned", fuzz_tuned},
                                     {"config_files", fuzz_config_files},
                                     {"mcp", fuzz_mcp},
                                     {"work_plan", fuzz_work_plan},
                                     {"metric_lines", fuzz_metric_lines},
                                     {"safetensors", fuzz_safetensors},
                                     {"segment", fuzz_segment}};

}  // namespace explog::fuzz
