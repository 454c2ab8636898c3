//! An access must lie inside its object with all its bytes.
//! expect: valid-memsafety false(valid-deref)
static char buffer[6];

int main(void) {
    volatile int at = 4;
    return *(int *)(buffer + at); // violation: valid-memsafety
}
