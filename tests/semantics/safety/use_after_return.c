//! A local is dead when its function has returned.
//! expect: valid-memsafety false(valid-deref)
static int *escape(void) {
    int local = 1;
    int *volatile p = &local;
    return p;
}

int main(void) {
    int *p = escape();
    return *p == 0; // violation: valid-memsafety
}
