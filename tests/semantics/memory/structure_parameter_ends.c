//! A parameter that is a structure ends with its function, wherever its bytes were put by the caller.
//! expect: valid-memsafety false(valid-deref)
struct pair {
    int a, b;
};

static int *left;

static void keep(int *place) { left = place; }

static void call(struct pair of) { keep(&of.b); }

int main(void) {
    struct pair mine = {1, 2};
    call(mine);
    return *left; // violation: valid-memsafety
}
