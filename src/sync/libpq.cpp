#include "sync/libpq.h"

#include <dlfcn.h>

#include "base/error.h"

namespace explog::sync {
namespace {

constexpr auto library = "libpq.so.5";  // the version of its interface since PostgreSQL 8.2

class Loader {
 public:
  Loader() : handle_(dlopen(library, RTLD_LAZY | RTLD_LOCAL)) {}

  template <typename Function>
  void operator()(Function& function, const char* name) const {
    void* found = handle_ == nullptr ? nullptr : dlsym(handle_, name);
    if (found == nullptr)
      throw Error(Exit::unavailable, "PostgreSQL's client library, libpq.so.5, is not installed here",
                  "install it (Debian: libpq5), or use a dir: remote");
    function = reinterpret_cast<Function>(found);
  }

 private:
  void* handle_;  // kept until the end
};

Libpq load_all() {
  Loader load;
  Libpq f{};
  load(f.clear, "PQclear");
  load(f.connectPoll, "PQconnectPoll");
  load(f.connectStartParams, "PQconnectStartParams");
  load(f.connectionNeedsPassword, "PQconnectionNeedsPassword");
  load(f.conninfoFree, "PQconninfoFree");
  load(f.conninfoParse, "PQconninfoParse");
  load(f.consumeInput, "PQconsumeInput");
  load(f.errorMessage, "PQerrorMessage");
  load(f.fformat, "PQfformat");
  load(f.finish, "PQfinish");
  load(f.flush, "PQflush");
  load(f.freemem, "PQfreemem");
  load(f.ftype, "PQftype");
  load(f.getResult, "PQgetResult");
  load(f.getisnull, "PQgetisnull");
  load(f.getlength, "PQgetlength");
  load(f.getvalue, "PQgetvalue");
  load(f.isBusy, "PQisBusy");
  load(f.nfields, "PQnfields");
  load(f.notifies, "PQnotifies");
  load(f.parameterStatus, "PQparameterStatus");
  load(f.resultErrorField, "PQresultErrorField");
  load(f.resultStatus, "PQresultStatus");
  load(f.sendQuery, "PQsendQuery");
  load(f.sendQueryParams, "PQsendQueryParams");
  load(f.setErrorVerbosity, "PQsetErrorVerbosity");
  load(f.setNoticeReceiver, "PQsetNoticeReceiver");
  load(f.setSingleRowMode, "PQsetSingleRowMode");
  load(f.setnonblocking, "PQsetnonblocking");
  load(f.socket, "PQsocket");
  load(f.status, "PQstatus");
  return f;
}

}  // namespace

const Libpq& pq() {
  static const Libpq functions = load_all();
  return functions;
}

}  // namespace explog::sync
