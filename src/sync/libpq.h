// PostgreSQL's client library, loaded when a remote first needs it: linked, its own libraries (TLS, Kerberos,
// LDAP) would triple the time in which every command starts, and a machine without it could run none.
#pragma once
#include <libpq-fe.h>

namespace explog::sync {

// A function each, by its name without "PQ".
struct Libpq {
  decltype(&PQclear) clear;
  decltype(&PQconnectPoll) connectPoll;
  decltype(&PQconnectStartParams) connectStartParams;
  decltype(&PQconnectionNeedsPassword) connectionNeedsPassword;
  decltype(&PQconninfoFree) conninfoFree;
  decltype(&PQconninfoParse) conninfoParse;
  decltype(&PQconsumeInput) consumeInput;
  decltype(&PQerrorMessage) errorMessage;
  decltype(&PQfformat) fformat;
  decltype(&PQfinish) finish;
  decltype(&PQflush) flush;
  decltype(&PQfreemem) freemem;
  decltype(&PQftype) ftype;
  decltype(&PQgetResult) getResult;
  decltype(&PQgetisnull) getisnull;
  decltype(&PQgetlength) getlength;
  decltype(&PQgetvalue) getvalue;
  decltype(&PQisBusy) isBusy;
  decltype(&PQnfields) nfields;
  decltype(&PQnotifies) notifies;
  decltype(&PQparameterStatus) parameterStatus;
  decltype(&PQresultErrorField) resultErrorField;
  decltype(&PQresultStatus) resultStatus;
  decltype(&PQsendQuery) sendQuery;
  decltype(&PQsendQueryParams) sendQueryParams;
  decltype(&PQsetErrorVerbosity) setErrorVerbosity;
  decltype(&PQsetNoticeReceiver) setNoticeReceiver;
  decltype(&PQsetSingleRowMode) setSingleRowMode;
  decltype(&PQsetnonblocking) setnonblocking;
  decltype(&PQsocket) socket;
  decltype(&PQstatus) status;
};

// Throws Error(unavailable) when the library is not installed.
const Libpq& pq();

}  // namespace explog::sync
