// extern "C" void solve(int decoy)
/* " */ const char* s = "void solve(float* x)\"; /*"; char q = '"';
extern "C" {
__attribute__((visibility("default"))) void
solve ( const std::int32_t *__restrict__ idx, float y[], unsigned long long K,
        const unsigned char mask[4], __half* h, double alpha /* , int no */ ) { }
}
