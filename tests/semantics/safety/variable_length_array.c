//! A variable-length array has the length that its declaration saw, and a lifetime like any local.
//! expect: valid-memsafety false(valid-deref)
int main(void) {
    volatile int n = 3, at = 3;
    int a[n];
    n = 4;
    for (int i = 0; i < 3; i++)
        a[i] = 0;
    return a[at]; // violation: valid-memsafety
}
