//! A block's local is dead when the block has been left.
//! expect: valid-memsafety false(valid-deref)
int main(void) {
    int *volatile p;
    {
        int local = 1;
        p = &local;
    }
    return *p == 0; // violation: valid-memsafety
}
