//! A variable of a loop is a new one in every iteration.
//! expect: no-uninit false
int main(void) {
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            goto here;
        int x = 1;
    here:
        if (!x) // violation: no-uninit
            return 1;
    }
    return 0;
}
