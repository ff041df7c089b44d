// Whose records are believed here, as text and as JSON.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/sync/trust.h"

namespace explog::answers {

std::string trust_json(const app::TrustListing& listing);
void print_trust(const Terminal& terminal, const app::TrustListing& listing);

}  // namespace explog::answers
