//! A read past the end of a local array is invalid, even if other locals lie there.
//! expect: valid-memsafety false(valid-deref)
int main(void) {
    int a[2] = {0, 0}, b[2] = {0, 0};
    volatile int i = 2;
    return a[i] + b[0]; // violation: valid-memsafety
}
