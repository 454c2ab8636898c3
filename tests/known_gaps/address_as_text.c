#include <assert.h>
#include <stdio.h>
int x;
int main(void) {
    char b[40];
    int n = snprintf(b, 40, "%p", (void *)&x);
    assert(n <= 10);
    return 0;
}
