// Hears every driver call of this process through CUPTI's callbacks.
#pragma once
#include <memory>
#include <string>

#include "addresses.h"
#include "graphs.h"
#include "images.h"
#include "recording.h"

namespace explog::capture {

// What the callbacks fill.
struct Heard {
  Addresses addresses;
  Images images{addresses};
  Recording recording{addresses, images};
  Graphs graphs{recording};
};

// The driver calls of this thread are the harness's own while one of these lives.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  bool before_;
};

// Holds the callbacks back; the harness reads or changes what they fill only under it.
class Held {
 public:
  Held();
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

 private:
  Quiet quiet_;
};

// Begins to listen, before the context is made. Says why not where CUPTI cannot.
bool listen(Heard& heard, std::string& why);
void stop_listening();

}  // namespace explog::capture
