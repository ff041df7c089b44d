#include "entry.h"
#include "model/strategy_words.h"
#include "targets.h"

namespace explog::fuzz {

// What a record of anybody calls its strategy: it stands for one of the playbook's, or for none.
void fuzz_strategy_text(std::string_view data) {
  static const Playbook playbook = Playbook::load("");
  static const StrategyReader reader(playbook);
  for (const char* backend : {"cuda", "triton", "cutile", ""}) {
    auto reading = reader.read(data, backend);
    if (reading && playbook.find(reading->strategy) == nullptr) __builtin_trap();
  }
  reader.nearest(data.substr(0, 300), 3);
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_strategy_text)
