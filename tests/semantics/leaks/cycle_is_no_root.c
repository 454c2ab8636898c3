//! Two lost objects that point to each other are leaks: the heap itself is not a root.
//! expect: valid-memsafety false(valid-memtrack)
#include <stdlib.h>

struct node { struct node *next; };

int main(void) {
    struct node *a = malloc(sizeof *a); // violation: valid-memsafety
    struct node *b = malloc(sizeof *b); // violation: valid-memsafety
    a->next = b;
    b->next = a;
    return 0;
}
