// The operations of a plan, one by one.
#pragma once
#include <cstdint>
#include <string>

#include "harness/plan.h"

namespace explog::bench {

// How much memory follows an address of a plan.
class Places {
 public:
  explicit Places(const plan::Plan& p) : plan_(p) {}
  // Bytes from the place to the end of what it lies in. Throws plan::Fault, which names `where`, when it lies in
  // nothing.
  std::uint64_t room(const plan::Place& place, const std::string& where) const;

 private:
  std::uint64_t size(const plan::Place& place, const std::string& where) const;
  const plan::Plan& plan_;
};

class OperationCheck {
 public:
  OperationCheck(const plan::Plan& p, const Places& places) : plan_(p), places_(places) {}
  // Throws plan::Fault.
  void check(const plan::Operation& o, std::size_t index);

 private:
  void need(bool holds, const char* what) const;
  void one(const plan::Operation& o);
  void launch(const plan::Operation& o) const;
  void sizes(const plan::Operation& o) const;
  void parameters(const plan::Operation& o) const;
  void fits(const plan::Place& place, std::uint64_t width, std::uint64_t height, std::uint64_t pitch) const;
  void memory(const plan::Operation& o) const;
  void graph(const plan::Operation& o);
  void acyclic(const plan::Operation& o) const;

  const plan::Plan& plan_;
  const Places& places_;
  std::string where_;
};

}  // namespace explog::bench
