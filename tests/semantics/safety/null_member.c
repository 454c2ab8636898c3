//! A member of a null structure pointer is null plus an offset: no object either.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip ends the process with a signal
struct task { int id, state; };

int main(void) {
    struct task *volatile none = 0;
    return none->state; // violation: valid-memsafety
}
