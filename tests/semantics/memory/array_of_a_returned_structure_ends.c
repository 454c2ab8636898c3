//! The array in a structure that a function returns lives until the expression around the call ends.
//! expect: valid-memsafety false(valid-deref)
struct row {
    int cell[2];
};

static struct row make(void) {
    struct row made = {{1, 2}};
    return made;
}

int main(void) {
    int *cell = make().cell;
    return *cell; // violation: valid-memsafety
}
