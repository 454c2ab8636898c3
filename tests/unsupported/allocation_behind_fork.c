//! What is allocated is not in the program that is verified.
//! ask: unreach-call,valid-memtrack
#include <stdlib.h>
#include <unistd.h>

int *p;

int main(void) {
    fork();
    p = malloc(4);
    p = 0;
    return 0;
}
