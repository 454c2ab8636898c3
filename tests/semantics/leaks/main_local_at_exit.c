//! exit is called inside main's frame: that stack is live and its locals are roots.
//! expect: valid-memsafety true
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 0;
    exit(*p);
}
