//! A jump into a block makes its variables, without their initial values.
//! expect: no-uninit false
int main(void) {
    goto here;
    {
        int x = 1;
    here:
        if (x) // violation: no-uninit
            return 1;
    }
    return 0;
}
