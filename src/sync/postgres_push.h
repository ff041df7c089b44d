// Segments on their way to the server: one statement a segment, so that no lock is ever held across a round
// trip.
#pragma once
#include "sync/postgres_connection.h"
#include "sync/remote.h"

namespace explog::sync {

enum class Tier { plain, hardened };  // schema/postgresql/

class PostgresPush {
 public:
  explicit PostgresPush(PostgresConnection& connection) : connection_(connection) {}
  void begin(const Identity& self, Tier tier) { self_ = self, tier_ = tier; }

  // Segments that follow each other wait for one another, so that some share one commit, and the server works
  // on them while the next are made: what is said here of one is final after flush.
  Outcome<Pushed> push(const Segment& segment);
  Outcome<bool> flush();
  Outcome<bool> erase(const std::vector<Erased>& erased);

 private:
  // What the server holds of an origin.
  struct Known {
    bool registered = false;
    Head head;
    std::string key;
  };
  bool follows(const Segment& segment) const;
  Outcome<Pushed> launch();
  Outcome<Pushed> land();
  ServerFailure attempt(bool& uncertain, Pushed& answer);
  ServerFailure look(const OriginId& origin, Known& known);
  ServerFailure enrol(const Segment& segment);
  ServerFailure send();
  ServerFailure receive(bool& stored);
  ServerFailure settle(Pushed& answer, bool& settled);

  PostgresConnection& connection_;
  Identity self_;
  Tier tier_ = Tier::plain;
  // Both of one origin, one after the other.
  std::vector<Segment> waiting_, flying_;
  size_t waiting_bytes_ = 0;
};

}  // namespace explog::sync
