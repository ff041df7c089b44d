#include "model/safetensors.h"

#include "broken.h"
#include "entry.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// The bytes of a whole file: whatever is accepted lies within it, behind its header.
void fuzz_safetensors(std::string_view data) {
  try {
    std::uint64_t header = tensor_header_bytes(data, data.size());
    for (const Tensor& t : read_tensors(data.substr(tensor_length_bytes, header), data.size())) {
      if (t.begin > t.end || t.end > data.size() || t.begin < tensor_length_bytes + header)
        broken("a tensor beyond its file", t.name);
    }
  } catch (const JsonError&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_safetensors)
