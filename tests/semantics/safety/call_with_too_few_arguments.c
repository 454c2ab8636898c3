//! A call through a pointer with fewer arguments than the function takes is invalid.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip undefined
static int difference(int x, int y) { return x - y; }

int main(void) {
    int (*one)(int) = (int (*)(int))(void (*)(void))difference;
    return one(0) ? 1 : 0; // violation: valid-memsafety
}
