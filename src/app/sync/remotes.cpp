#include "app/sync/remotes.h"

#include <filesystem>

#include "base/error.h"
#include "base/text.h"

namespace explog::app {
namespace {

// Names become part of a lock file's name.
void check_name(const std::string& name) {
  bool sound = !name.empty() && name.size() <= 40 && name[0] != '.' && name[0] != '-' &&
               name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") == std::string::npos;
  if (!sound)
    throw Error(Exit::usage, "'" + printable(name) + "' cannot be the name of a remote",
                "up to 40 of a-z 0-9 . _ -");
}

// A folder is remembered from the root on: sync is called from anywhere.
std::string whole_url(const std::string& url) {
  if (!url.starts_with("dir:") || url.size() == 4) return url;
  std::string path = std::filesystem::absolute(url.substr(4)).lexically_normal().string();
  if (path.size() > 1 && path.back() == '/') path.pop_back();
  return "dir:" + path;
}

}  // namespace

AddedRemote add_remote(const Session& session, const std::string& name, const std::string& url, Trust trust) {
  check_name(name);
  AddedRemote added{name, whole_url(url), ""};
  added.where = sync::make_remote(added.url)->where();  // refuses what fits no scheme
  if (sync::has_password(added.url)) {
    throw Error(Exit::usage,
                "the URL holds a password, which would be stored and shown to whoever lists processes",
                "leave it out; libpq finds it in ~/.pgpass or $PGPASSFILE");
  }
  store::Store store = session.writer();
  store::RemoteRow row;
  row.name = added.name;
  row.url = added.url;
  row.trust = trust;
  store::add_remote(store, row);
  return added;
}

std::vector<store::RemoteRow> list_remotes(const Session& session) {
  sql::Db db = session.reader();
  return store::remotes(db);
}

void remove_remote(const Session& session, const std::string& name) {
  store::Store store = session.writer();
  store::remove_remote(store, name);
}

sync::Outcome<std::string> found_remote(const Session& session, const std::string& name_or_url,
                                        const sync::Founding& founding) {
  std::string url = whole_url(name_or_url);
  if (url.find(':') == std::string::npos) {
    store::Store store = session.writer();
    for (const store::RemoteRow& row : store::remotes(store.db())) {
      if (row.name == name_or_url) url = row.url;
    }
  }
  return sync::make_remote(url)->init(founding);
}

}  // namespace explog::app
