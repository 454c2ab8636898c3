//! Should be false(unreach-call), is true: `qsort` keeps the order of elements that compare equal; C leaves it open.
#include <assert.h>
#include <stdlib.h>

struct entry {
    int key, name;
};

static int compares(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

int main(void) {
    struct entry list[2] = {{1, 1}, {1, 2}};
    qsort(list, 2, sizeof *list, compares);
    assert(list[0].name == 1);
    return 0;
}
