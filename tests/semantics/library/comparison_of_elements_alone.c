//! A comparison function that looks at its two elements alone: nothing depends on which are compared.
//! expect: unreach-call true
//! expect: valid-memsafety true
//! expect: no-data-race true
#include <assert.h>
#include <stdlib.h>

struct pair {
    int key;
    char name;
};

static int compares(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

int main(void) {
    struct pair list[4] = {{3, 'c'}, {1, 'a'}, {4, 'd'}, {2, 'b'}};
    struct pair wanted = {3, 0}, *found;
    qsort(list, 4, sizeof *list, compares);
    assert(list[0].name == 'a' && list[1].name == 'b' && list[2].name == 'c' && list[3].name == 'd');
    found = bsearch(&wanted, list, 4, sizeof *list, compares);
    assert(found == &list[2]);
    return 0;
}
