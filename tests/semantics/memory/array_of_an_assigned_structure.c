//! The value of an assignment is not the variable: its array ends with the expression.
//! expect: valid-memsafety false(valid-deref)
struct row {
    int cell[2];
};

static struct row to, from;

int main(void) {
    int *cell = (to = from).cell;
    return *cell; // violation: valid-memsafety
}
