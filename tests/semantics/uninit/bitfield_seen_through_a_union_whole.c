//! The byte that holds a written bit-field and an unwritten one is compared as a whole.
//! expect: no-uninit false
union view {
    struct {
        unsigned char low : 4, high : 4;
    } parts;
    unsigned char raw;
};

int main(void) {
    union view v;
    v.parts.low = 3;
    if (v.raw == 3) // violation: no-uninit
        return 1;
    return 0;
}
