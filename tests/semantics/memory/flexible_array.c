//! A flexible array member ends where the allocation ends.
//! expect: valid-memsafety false(valid-deref)
#include <stdlib.h>

struct message { int length; char text[]; };
static struct message *m;

int main(void) {
    m = malloc(sizeof *m + 3);
    m->length = 3;
    for (int i = 0; i <= m->length; i++)
        m->text[i] = 0; // violation: valid-memsafety
    free(m);
    return 0;
}
