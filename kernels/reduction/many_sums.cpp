// strategy: increase_ilp
// after: naive.cpp
// predicts: 4x or more: additions of the one running sum wait for each other; 64 sums fill the vector units
//
// 64 partial sums, four vectors wide, so that additions neither wait for each other
// nor stay scalar; shorter chains also round less.
namespace {
constexpr int lanes = 64;
}

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  float part[lanes] = {};
  const int whole = N / lanes * lanes;
  for (int i = 0; i < whole; i += lanes) {
    for (int l = 0; l < lanes; ++l) part[l] += x[i + l];
  }
  for (int i = whole; i < N; ++i) part[i - whole] += x[i];
  for (int width = lanes / 2; width > 0; width /= 2) {
    for (int l = 0; l < width; ++l) part[l] += part[l + width];
  }
  *y = part[0];
}
