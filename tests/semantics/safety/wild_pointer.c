//! An uninitialised pointer points nowhere in particular.
//! expect: valid-memsafety false(valid-deref)
int main(void) {
    int *p;
    int **q = &p;
    return **q; // violation: valid-memsafety
}
