#include <stdlib.h>
#include <unistd.h>

int *p;

int main(void) {
    fork();
    p = malloc(4);
    p = 0;
    return 0;
}
