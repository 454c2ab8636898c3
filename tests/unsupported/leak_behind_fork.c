//! What is left on the heap is not in the program that is verified.
//! ask: unreach-call,valid-memcleanup
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    fork();
    char *p = malloc(3);
    return p == 0;
}
