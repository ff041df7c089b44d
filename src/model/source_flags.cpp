#include "model/source_flags.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace explog {
namespace {

constexpr std::string_view flags_head = "// nvcc:", link_head = "// link:";

std::vector<std::string> flag_words(std::string_view line) {
  std::vector<std::string> words;
  for (std::string_view word : split(trim(line), ' ')) {
    if (!trim(word).empty()) words.emplace_back(trim(word));
  }
  return words;
}

template <class Take>
void for_each_line_behind(std::string_view head, std::string_view source, Take&& take) {
  for (std::string_view line : split(source, '\n')) {
    if (line.starts_with(head)) take(flag_words(line.substr(head.size())));
  }
}

// "-ftz" of "-ftz=true" and of "--ftz=true".
std::string_view flag_name(std::string_view flag) {
  if (flag.starts_with("--")) flag.remove_prefix(1);
  return flag.substr(0, flag.rfind('='));
}

}  // namespace

std::vector<std::string> flags_in_source(std::string_view source) {
  std::vector<std::string> flags;
  for_each_line_behind(flags_head, source, [&](const std::vector<std::string>& words) {
    flags.insert(flags.end(), words.begin(), words.end());
  });
  return flags;
}

std::vector<std::string> files_to_link(std::string_view source) {
  std::vector<std::string> files;
  for_each_line_behind(link_head, source, [&](const std::vector<std::string>& words) {
    if (!words.empty() && is_linkable(words.front())) files.insert(files.end(), words.begin(), words.end());
  });
  return files;
}

bool is_linkable(std::string_view name) { return name.ends_with(".o") || name.ends_with(".a"); }

bool may_ask_for(std::string_view flag) {
  constexpr std::array<std::string_view, 2> alone = {"-use_fast_math", "-extra-device-vectorization"};
  constexpr std::array<std::string_view, 4> switches = {"-ftz", "-prec-div", "-prec-sqrt", "-fmad"};
  constexpr double least_registers = 16, most_registers = 255;
  auto is_one_of = [](const auto& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  const std::string_view name = flag_name(flag);
  if (flag.find('=') == std::string_view::npos) return is_one_of(alone, name);
  const std::string_view value = flag.substr(flag.rfind('=') + 1);
  if (name == "-maxrregcount") {
    auto registers = parse_number(value);
    return registers && *registers >= least_registers && *registers <= most_registers &&
           *registers == static_cast<int>(*registers);
  }
  if (name == "-Xptxas=-dlcm") return value == "ca" || value == "cg";
  return is_one_of(switches, name) && (value == "true" || value == "false");
}

std::string with_flag(std::string_view source, std::string_view flag) {
  if (!source.starts_with(flags_head))
    return std::string(flags_head) + " " + std::string(flag) + "\n" + std::string(source);
  const std::size_t end = std::min(source.find('\n'), source.size());
  std::string line(flags_head);
  for (const std::string& word : flag_words(source.substr(flags_head.size(), end - flags_head.size()))) {
    if (flag_name(word) != flag_name(flag)) line += " " + word;
  }
  return line + " " + std::string(flag) + std::string(source.substr(end));
}

}  // namespace explog
