// Names that users give, as the store knows them.
#pragma once
#include <string>

#include "app/session/session.h"
#include "base/sqlite.h"
#include "model/experience.h"
#include "model/vocabulary.h"

namespace explog::app {

// Canonical name of an architecture or a card. Throws Error(usage) naming --arch.
std::string arch_named(const std::string& text);

// The same as a compiler is told it; "" where nothing is said. Throws Error(usage) naming --arch.
std::string arch_to_compile(const std::string& text);

// The vocabulary's word for `text`. Throws Error(usage) naming `flag`, with the nearest word and all of them.
std::string word_of(Vocabulary vocabulary, const std::string& text, const char* flag);

// The name of the card that a user means by --arch, "" where it is no card. A warning says which was taken
// where several fit.
std::string card_named(const std::string& text, const Session& session);

// The experience whose id starts with `id`. Throws Error: no such record, or it is something else.
Experience experience_named(const std::string& id, sql::Db& db);

}  // namespace explog::app
