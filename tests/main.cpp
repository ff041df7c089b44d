#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("EXPLOG_SHIPPED", "off", 1);  // a test's database holds what the test stores, and no more
  setenv("EXPLOG_LABEL", "tester@here", 1);
  return doctest::Context(argc, argv).run();
}
