//! An access before the beginning of a global is invalid.
//! expect: valid-memsafety false(valid-deref)
static int before[2], a[2];

int main(void) {
    volatile int i = -1;
    before[0] = 0;
    return a[i]; // violation: valid-memsafety
}
