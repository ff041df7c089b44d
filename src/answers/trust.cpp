#include "answers/trust.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "answers/rows.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

std::string short_hex(std::string_view id) { return hex(id).substr(0, 12); }

void write_origin(JsonWriter& json, const app::OriginSummary& summary) {
  const store::Origin& o = summary.origin;
  json.begin_object();
  json.field("origin", hex(o.id));
  json.field("trust", trust_word(o.trust));
  json.field("label", o.label);
  json.field("via", o.via);
  json.field("key", o.key ? hex(*o.key) : "");
  json.field("events", o.head);
  json.field("signed", o.signed_to);
  json.field("success", summary.outcomes.success);
  json.field("neutral", summary.outcomes.neutral);
  json.field("failure", summary.outcomes.failure);
  json.end_object();
}

void write_refused(JsonWriter& json, const store::QuarantineRow& row) {
  json.begin_object();
  json.field("remote", row.remote);
  json.field("origin", hex(row.origin));
  json.field("first", row.first);
  json.field("last", row.last);
  json.field("reason", row.reason);
  json.end_object();
}

void print_origins(const Terminal& terminal, const std::vector<app::OriginSummary>& origins) {
  RowPrinter printer(terminal, Format::text);
  printer.show_whole({"origin", "trust"});
  printer.can_miss({"neutral", "failed", "faster"});
  printer.header({"origin", "label", "trust", "events", "faster", "neutral", "failed", "via"});
  for (const auto& [o, outcomes] : origins)
    printer.row({short_hex(bytes_of(o.id)), o.label.empty() ? "-" : ellipsis(printable(o.label), 40),
                 std::string(trust_word(o.trust)), o.head, outcomes.success, outcomes.neutral,
                 outcomes.failure, o.via});
  printer.finish();
}

void print_refused(const Terminal& terminal, const store::QuarantineRow& row) {
  std::string what = row.origin.empty()
                         ? ""
                         : fmt::format("events {} to {} of {}: ", row.first, row.last, short_hex(row.origin));
  terminal.out << "refused from " << printable(row.remote + ": " + what + row.reason) << '\n';
}

}  // namespace

std::string trust_json(const app::TrustListing& listing) {
  JsonWriter json;
  begin_answer(json);
  json.key("origins");
  json.begin_array();
  for (const app::OriginSummary& summary : listing.origins) write_origin(json, summary);
  json.end_array();
  json.key("weights");
  json.begin_object();
  for (const auto& [source, weight] : listing.weights) json.field(source, weight);
  json.end_object();
  json.key("quarantined");
  json.begin_array();
  for (const store::QuarantineRow& row : listing.quarantined) write_refused(json, row);
  json.end_array();
  json.end_object();
  return json.take();
}

void print_trust(const Terminal& terminal, const app::TrustListing& listing) {
  print_origins(terminal, listing.origins);
  for (const auto& [source, weight] : listing.weights) {
    if (!listing.review)
      terminal.out << fmt::format("records of {} weigh {} by your word\n", printable(source),
                                  number_text(weight));
  }
  for (const store::QuarantineRow& row : listing.quarantined) print_refused(terminal, row);
  if (!listing.review) return;
  for (const auto& [o, outcomes] : listing.origins) {
    if (o.signed_to < o.head)
      terminal.out << fmt::format(
          "{} is signed to event {} of {}: what it says was measured counts as imported\n",
          short_hex(bytes_of(o.id)), o.signed_to, o.head);
  }
  if (listing.origins.empty() && listing.quarantined.empty()) terminal.out << "nothing to review\n";
  if (!listing.origins.empty()) terminal.out << "`explog trust set ORIGIN team` or `blocked` decides\n";
}

}  // namespace explog::answers
