//! A bit-field that lies in two bytes is written; its neighbours in both of them are not.
//! expect: no-uninit false
struct three {
    unsigned first : 6, middle : 5, last : 5;
};

int main(void) {
    struct three s;
    s.middle = 9;
    if (s.middle != 9)
        return 1;
    return s.last ? 2 : 3; // violation: no-uninit
}
