//! A store to one bit-field does not write its neighbour in the same byte.
//! expect: no-uninit false
struct pair {
    int a : 4, b : 4;
};

int main(void) {
    struct pair s;
    s.a = 1;
    if (s.b) // violation: no-uninit
        return 1;
    return 0;
}
