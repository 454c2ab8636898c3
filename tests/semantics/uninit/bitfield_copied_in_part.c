//! A copy of a record with bit-fields keeps which of them were never written.
//! expect: no-uninit false
struct flags {
    unsigned set : 1, other : 1;
};

int main(void) {
    struct flags from, to;
    from.set = 1;
    to = from;
    if (!to.set)
        return 1;
    if (to.other) // violation: no-uninit
        return 2;
    return 0;
}
