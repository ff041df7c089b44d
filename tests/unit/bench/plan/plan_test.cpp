#include "bench/plan/check.h"

#include <doctest/doctest.h>

#include "base/file.h"
#include "base/text.h"
#include "bench/plan/compare_plans.h"
#include "bench/plan/direct_calls.h"
#include "bench/plan/joins.h"
#include "bench/plan/library_work.h"
#include "bench/plan/rules.h"
#include "harness/plan_reader.h"
#include "harness/plan_writer.h"
#include "unit/bench/plan/plan_builder.h"

using namespace explog;
using namespace explog::bench;
using namespace explog::test;
using plan::Kind;
using plan::Plan;
using plan::Target;

namespace {

std::string fault_in(const std::string& bytes) {
  auto read = read_plan(bytes);
  return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "";
}

// The plan's bytes with one word of its index put in another's place; the first line is made to fit.
std::string edited(const Plan& p, const std::string& from, const std::string& to) {
  std::string bytes = plan::write(p);
  std::size_t line = bytes.find('\n') + 1, at = bytes.find(from, line);
  REQUIRE(at != std::string::npos);
  bytes.replace(at, from.size(), to);
  auto words = split(std::string_view(bytes).substr(0, line - 1), ' ');
  std::string index = std::to_string(std::stoull(std::string(words[2])) + to.size() - from.size());
  return "explog-plan 2 " + index + " " + std::string(words[3]) + "\n" + bytes.substr(line);
}

template <class F>
std::string fault_after(F change) {
  Plan p = everything();
  change(p);
  return fault_of(p);
}

}  // namespace

TEST_CASE("SHA-256 gives the digests of FIPS 180-4") {
  CHECK(Sha256::hex_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(Sha256::hex_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Sha256::hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("a plan reads back as it was written, and its bytes are the only ones for it") {
  Plan empty;
  empty.arch = "sm_90";
  for (const Plan& p : {one_launch(), everything(), returning(), empty}) {
    std::string bytes = plan::write(p);
    CHECK(plan::read(bytes) == p);
    CHECK(plan::write(plan::read(bytes)) == bytes);
  }
  CHECK(fault_of(everything()).empty());
}

TEST_CASE("a plan cut short anywhere is refused") {
  std::string bytes = plan::write(everything());
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    CAPTURE(n);
    CHECK_THROWS_AS(plan::read(bytes.substr(0, n)), plan::Fault);
  }
  CHECK_THROWS_AS(plan::read(bytes + "x"), plan::Fault);
}

TEST_CASE("the reader says which line is wrong, and why") {
  Plan p = everything();
  for (const char* number : {"1", "3"})
    CHECK(fault_in(std::string("explog-plan ") + number + " 0 0\n") ==
          std::string("line 1 of the plan: format ") + number + ", this explog reads 2");
  CHECK(fault_in("ELF") == "line 1 of the plan: no first line; is it a plan?");
  CHECK(fault_in(edited(p, "events 2", "events 02")).find("a number is wrong") != std::string::npos);
  CHECK(fault_in(edited(p, "events 2", "events 5000")).find("above the limit") != std::string::npos);
  CHECK(fault_in(edited(p, "symbol 0 64 -", "symbol 0 64 -4")).find("a number is wrong") !=
        std::string::npos);
  CHECK(fault_in(edited(p, "stream 1 -1", "stream 1 -01")).find("a number is wrong") != std::string::npos);
  CHECK(fault_in(edited(p, "late 2", "late 2 ")).find("too many words") != std::string::npos);
  CHECK(fault_in(edited(p, "host_function", "host_funktion")).find("does not have") != std::string::npos);
  CHECK(fault_in(edited(p, "graph 0 5 3", "graph 0 9 3")).find("does not have") != std::string::npos);
  CHECK(fault_in(edited(p, "data 16 1", "data 16 9")).find("'fix' is missing") != std::string::npos);
  CHECK(fault_in(edited(p, "data 16 1", "data 99999 1")).find("more data than") != std::string::npos);
  CHECK(fault_in(edited(p, "device sm_90", "device sm\x01")).find("not printable") != std::string::npos);
}

TEST_CASE("every index of a plan must name something") {
  CHECK(fault_after([](Plan& p) { p.operations[0].image = 1; }) ==
        "operation 0 (launch) is of an image that is not there");
  CHECK(fault_after([](Plan& p) { p.operations[0].stream = 5; }) ==
        "operation 0 (launch) is in a stream that is not there");
  CHECK(fault_after([](Plan& p) { p.operations[0].parameters[0] = 99; }) ==
        "operation 0 (launch) has a parameter that is not there");
  CHECK(fault_after([](Plan& p) { p.operations[2].data = 99; }) ==
        "operation 2 (upload) has a payload that is not there");
  CHECK(fault_after([](Plan& p) { p.operations[6].event = 2; }) ==
        "operation 6 (record) names an event that is not there");
  CHECK(fault_after([](Plan& p) { p.operations[1].to.id = 3; }) ==
        "operation 1 (memset) names workspace 3, which is not there");
  CHECK(fault_after([](Plan& p) {
          p.operations[3].to = {Target::argument, 2, 0};
        }) == "operation 3 (copy) takes a scalar for a buffer");
  CHECK(fault_after([](Plan& p) {
          p.operations[3].to = {Target::texture, 0, 0};
        }) == "operation 3 (copy) takes a texture for an address");
  CHECK(fault_after([](Plan& p) {
          p.operations[10].edges.push_back({0, 9});
        }) == "operation 10 (graph) has an edge to a node that is not there");
  CHECK(fault_after([](Plan& p) { p.symbols[1].image = 7; }) == "symbol 1 is of an image that is not there");
  CHECK(fault_after([](Plan& p) { p.workspaces[0].contents = 99; }) ==
        "workspace 0 has contents that are not there");
}

TEST_CASE("every operation must stay within what it names") {
  CHECK(fault_after([](Plan& p) { p.operations[1].height = 3; }) ==
        "operation 1 (memset) goes beyond its memory");
  CHECK(fault_after([](Plan& p) { p.operations[1].pitch = 4; }) ==
        "operation 1 (memset) has a pitch that does not fit");
  CHECK(fault_after([](Plan& p) { p.operations[2].to.plus = 61; }) ==
        "operation 2 (upload) goes beyond its memory");
  CHECK(fault_after([](Plan& p) { p.operations[3].bytes = 1025; }) ==
        "operation 3 (copy) goes beyond its memory");
  CHECK(fault_after([](Plan& p) { p.operations[3].from.plus = ~0ull; }) ==
        "operation 3 (copy) has an address beyond its memory");
  CHECK(fault_after([](Plan& p) { p.operations[4].height = ~0ull; }) ==
        "operation 4 (copy2d) goes beyond its memory");
  CHECK(fault_after([](Plan& p) { p.operations[5].bytes = 5; }) ==
        "operation 5 (download) goes beyond its memory");
  CHECK(fault_after([](Plan& p) { p.data[0].fixes[0].at = 9; }) == "data 0 has an address outside of it");
  CHECK(fault_after([](Plan& p) { p.data[0].fixes[0].place.plus = 1025; }) ==
        "data 0 has an address beyond its memory");
  CHECK(fault_after([](Plan& p) { p.textures[0].width = 1025; }) == "texture 0 is wider than its memory");
}

TEST_CASE("what no device takes, or what belongs to the harness, is refused") {
  CHECK(fault_after([](Plan& p) {
          p.operations[0].block = {1024, 2, 1};
        }) == "operation 0 (launch) has a block that no device takes");
  CHECK(fault_after([](Plan& p) { p.operations[0].grid[1] = 65536; }) ==
        "operation 0 (launch) has a grid that no device takes");
  CHECK(fault_after([](Plan& p) { p.operations[0].settings[2] = 2; }) ==
        "operation 0 (launch) has settings that no device takes");
  CHECK(fault_after([](Plan& p) { p.operations[0].attributes[0].id = 1; }) ==
        "operation 0 (launch) has an attribute that is not known");
  CHECK(fault_after([](Plan& p) {
          p.operations[10].edges.push_back({2, 0});
        }) == "operation 10 (graph) has a circle");
  CHECK(fault_after([](Plan& p) { p.images[0].bytes += "x"; }) == "image 0 is not what its hash names");
  CHECK(fault_after([](Plan& p) { p.limits[0].which = 6; }) == "limit 6 of the context may not be set");
  CHECK(fault_after([](Plan& p) {
          p.workspaces[2].bytes = plan::limit::kept;
          p.workspaces[2].contents = add_data(p, std::string(plan::limit::kept, 'x'));
        }) == "the workspaces hold more than may be kept");
}

TEST_CASE("what a call returns is all of an argument, from memory of its own") {
  Plan p = returning();
  CHECK(fault_of(p).empty());
  CHECK(plan::read(plan::write(p)) == p);
  auto after = [&](auto change) {
    Plan changed = p;
    change(changed.results[0]);
    return fault_of(changed);
  };
  CHECK(after([](plan::Result& r) { r.to.plus = 4; }) == "result 0 is for no argument");
  CHECK(after([](plan::Result& r) { r.to.target = Target::workspace; }) == "result 0 is for no argument");
  CHECK(after([](plan::Result& r) { r.to.id = 2; }) == "result 0 takes a scalar for a buffer");
  CHECK(after([](plan::Result& r) { r.bytes = 1020; }) == "result 0 has another size than its argument");
  CHECK(after([](plan::Result& r) { r.from.plus = 1025; }) == "result 0 goes beyond its memory");
  CHECK(after([](plan::Result& r) {
          r.from = {Target::argument, 0, 0};
        }) == "result 0 is no memory of the candidate's");
  CHECK(after([](plan::Result& r) { r.from.id = 3; }) == "result 0 names workspace 3, which is not there");
  Plan host = p, apart = p;
  host.workspaces[0].memory = plan::Memory::host;
  CHECK(fault_of(host) == "result 0 is not on the device");
  apart.results.clear();
  CHECK(compare_plans(p, apart).decides == "what it returns lies elsewhere in another call");
  CHECK(fault_in(edited(p, "result argument", "result arguments")).find("does not have") !=
        std::string::npos);
  CHECK(activities_of(p) == 1);  // its copy is not in the window
}

TEST_CASE("plans that differ in addresses, placement and numbering alone are the same") {
  Plan a = one_launch(), b = one_launch();
  b.data[0].bytes = "another.";
  b.workspaces = a.workspaces = {{plan::Memory::device, 64, 512, true, plan::none}};
  b.workspaces[0].low = 1024;
  std::swap(b.data[0], b.data[2]);
  b.operations[0].parameters = {2, 1, 0};
  CHECK(normalised(a) == normalised(b));
  CHECK(compare_plans(a, b).decides.empty());
  CHECK(compare_plans(a, b).may_be_padding.empty());
}

TEST_CASE("the padding of a struct may hold an address in one call and none in another") {
  Plan a = one_launch(), b = one_launch();
  a.data[1].bytes = b.data[1].bytes = std::string(128, 'm');
  REQUIRE(a.data[1].fixes == b.data[1].fixes);
  a.data[1].fixes.push_back({64, false, {plan::Target::argument, 1, 0}});
  CHECK(compare_plans(a, b).decides.empty());
  CHECK(compare_plans(a, b).may_be_padding.size() == 1);
  b.data[1].fixes.push_back({64, false, {plan::Target::argument, 0, 8}});
  CHECK(compare_plans(a, b).decides.empty());
  CHECK(compare_plans(a, b).may_be_padding.size() == 1);
  b.data[1].bytes += std::string(8, 'm');
  CHECK(compare_plans(a, b).decides ==
        "operation 0, launch of _Z3addPKfPfi: parameter 1 is another address in another call");
}

TEST_CASE("a number that differs from call to call decides, bytes of a struct may be padding") {
  Plan a = one_launch(), b = one_launch();
  b.data[2].bytes[0] = 6;
  CHECK(compare_plans(a, b).decides ==
        "operation 0, launch of _Z3addPKfPfi: parameter 2 differs from call to call");
  a.operations[0].name = b.operations[0].name = "_ZN2at6native29vectorized_elementwise_kernelILi4E";
  CHECK(compare_plans(a, b).decides.empty());  // a functor
  CHECK(compare_plans(a, b).may_be_padding.size() == 1);
  a = one_launch(), b = one_launch();
  a.data[2].bytes = std::string(16, 'a');
  b.data[2].bytes = std::string(16, 'b');
  CHECK(compare_plans(a, b).decides.empty());
  CHECK(compare_plans(a, b).may_be_padding.size() == 1);
  b.data[1].fixes[0].place.plus = 32;
  CHECK(compare_plans(a, b).decides ==
        "operation 0, launch of _Z3addPKfPfi: parameter 1 is another address in another call");
  Plan c = one_launch();
  c.operations.push_back(c.operations[0]);
  CHECK(compare_plans(a, c).decides == "one call does 1 operations, another 2");
  Plan d = one_launch();
  d.operations[0].grid[0] = 5;
  CHECK(compare_plans(one_launch(), d).decides ==
        "operation 0, launch of _Z3addPKfPfi differs from call to call");
}

TEST_CASE("work on a stream of its own must begin after the default stream and be joined to it") {
  auto with = [](std::vector<plan::Operation> around) {
    Plan p = surroundings();
    for (plan::Operation& o : around)
      p.operations.push_back(o.kind == Kind::launch ? launch_in(p, o.stream) : o);
    return unjoined(p);
  };
  auto work = [](std::uint32_t stream) { return in_stream(Kind::launch, stream); };
  auto record = [](std::uint32_t stream, std::uint32_t e) { return in_stream(Kind::record, stream, e); };
  auto wait = [](std::uint32_t stream, std::uint32_t e) { return in_stream(Kind::wait, stream, e); };
  auto host = [](plan::HostWait what, std::uint32_t stream) {
    plan::Operation o = in_stream(Kind::host_wait, stream, 1);
    o.waits_for = what;
    return o;
  };
  CHECK(with({work(0)}) == "");
  CHECK(with({work(1), work(4)}) == "");  // the thread's default stream and a blocking one
  CHECK(with({work(2)}) == "work on stream 2 does not wait for the default stream");
  CHECK(with({record(0, 0), wait(2, 0), work(2)}) == "work on stream 2 is not joined to the default stream");
  CHECK(with({record(0, 0), wait(2, 0), work(2), record(2, 1), wait(0, 1)}) == "");
  CHECK(with({record(0, 0), wait(2, 0), work(2), record(2, 1), work(2), wait(0, 1)}) ==
        "work on stream 2 is not joined to the default stream");
  CHECK(with({wait(2, 0), work(2)}) ==
        "work on stream 2 does not wait for the default stream");  // nobody recorded it
  CHECK(with({record(0, 0), wait(2, 0), work(2), record(2, 1), wait(3, 1), work(3), record(3, 0),
              wait(0, 0)}) == "");
  CHECK(with({work(0), host(plan::HostWait::device, 0), work(2), host(plan::HostWait::stream, 2)}) == "");
  CHECK(with({work(2), host(plan::HostWait::device, 0)}) ==
        "work on stream 2 does not wait for the default stream");
  CHECK(with({record(0, 0), wait(2, 0), work(2), record(2, 1), host(plan::HostWait::event, 0)}) == "");
}

TEST_CASE("a kernel whose device code starts others is refused, whatever else the plan holds") {
  Plan p = one_launch();
  p.unknown = {"cuMemcpy3DAsync"};
  p.images.push_back(image_that_needs("__cuda_syscall_cnpv2LaunchDeviceV2"));
  CHECK(decide(p, p).judged == Judged::refused);
  CHECK(decide(p, p).reason ==
        "its device code starts kernels or graphs itself, whose time is in no record: launch them from "
        "solve()");
  p.images.back() = image_that_needs("vprintf");
  CHECK(decide(p, p).judged == Judged::in_process);
}

TEST_CASE("who judges: a replay, the process itself, nobody") {
  Plan p = one_launch();
  CHECK(decide(p, p).judged == Judged::replay);
  CHECK(decide(p, p, {p.images[0].sha256}).judged == Judged::replay);
  PlanDecision foreign = decide(p, p, {"another"});
  CHECK(foreign.judged == Judged::in_process);
  CHECK(foreign.reason.find("an image that was not made from its source") != std::string::npos);

  Plan late = p, idle = surroundings(), strange = p, read = p, other = p, apart = p;
  late.late = 1;
  CHECK(decide(p, late).judged == Judged::refused);
  Plan ours = p, inside = everything();
  ours.operations[0].name = "explog_fill";
  CHECK(decide(ours, ours).judged == Judged::refused);
  CHECK(decide(ours, ours).reason ==
        "it launches a kernel called explog_fill, a name that is kept for the harness's own");
  for (plan::Operation& o : inside.operations) {
    if (!o.nodes.empty()) o.nodes[0].name = "explog_mark";
  }
  CHECK(decide(inside, inside).judged == Judged::refused);
  CHECK(decide(inside, inside).reason.find("explog_mark") != std::string::npos);
  CHECK(decide(idle, idle).reason == "the call does no work on the device");
  strange.unknown = {"cuMemcpy3DAsync"};
  CHECK(decide(strange, p).reason == "a replay has no word for cuMemcpy3DAsync");
  plan::Operation down = in_stream(Kind::download, 0);
  down.from = {Target::argument, 1, 0};
  down.bytes = 4;
  read.operations.push_back(down);
  CHECK(decide(read, read).judged == Judged::in_process);
  CHECK(decide(read, read).reason ==
        "solve() reads device memory on the host (4 bytes): results cannot be separated from host code");
  other.data[2].bytes[0] = 9;
  CHECK(decide(p, other).judged == Judged::in_process);
  apart.operations[0].stream = 2;
  CHECK(decide(apart, apart).judged == Judged::refused);
}

TEST_CASE("a profiler must see each kernel, copy and memset of a plan, those of its graphs too") {
  CHECK(activities_of(everything()) == 6 + 3);
}

TEST_CASE("the example of schema/formats/plan.md is a plan") {
  std::string page = read_file(std::string(EXPLOG_SOURCE_DIR) + "/schema/formats/plan.md");
  std::size_t begin = page.find("explog-plan 2 ", page.find("## Example"));
  std::string text = page.substr(begin, page.find("```", begin) - begin);
  Plan expected = one_launch();
  expected.streams.clear();
  expected.events = 0;
  auto read = read_plan(text + "\177ELFone" + std::string(16, 7) + std::string("\x05\0\0\0", 4));
  REQUIRE(std::holds_alternative<Plan>(read));
  CHECK(std::get<Plan>(read) == expected);
}

TEST_CASE("a library's kernels are told by their names") {
  for (const char* name : {"_ZN2at6native12_GLOBAL__N_119cunn_SoftMaxForwardE", "nvjet_tst_128x256_64x4_h_bz",
                           "sm90_xmma_gemm_f32f32", "cutlass_80_tensorop_s1688gemm", "void at::native::x"})
    CHECK(of_library(name));
  for (const char* name : {"softmax_rows", "kernel_cutlass_kernel_dense_gemm", "_Z3addPKfPfi", "attention"})
    CHECK_FALSE(of_library(name));
}

TEST_CASE("only a library writes where no other kernel is given an output or a workspace") {
  plan::Plan p;
  plan::Operation library = launch_in(p, 0), decoy = launch_in(p, 0);
  library.name = "_ZN2at6native7softmaxE";
  decoy.name = "decoy";
  decoy.parameters = {add_address(p, {plan::Target::argument, 0, 0})};
  p.operations = {decoy, library};
  CHECK(only_library_writes(p, {1}) == library.name);
  p.operations[0].parameters.push_back(add_address(p, {plan::Target::workspace, 0, 0}));
  CHECK(only_library_writes(p, {1}).empty());
  p.operations = {launch_in(p, 0), library};
  CHECK(only_library_writes(p, {1}).empty());
  p.operations = {decoy};
  CHECK(only_library_writes(p, {1}).empty());
}

TEST_CASE("direct calls that agree must leave what a replay leaves; what they wrote may be anything") {
  DirectCalls alike = direct_calls_in("123\n123\n"), apart = direct_calls_in("123\n124\n");
  CHECK_FALSE(replays_otherwise(alike, "123"));
  CHECK(replays_otherwise(alike, "124"));
  CHECK(replays_otherwise(alike, ""));
  CHECK_FALSE(replays_otherwise(apart, "123"));
  CHECK_FALSE(replays_otherwise(apart, "125"));
  for (const char* text : {"", "123", "\n", "\n\n", "123\n"})
    CHECK_FALSE(replays_otherwise(direct_calls_in(text), "123"));
}
