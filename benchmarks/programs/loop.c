/* A tight sequential loop: arithmetic, a branch, an array. */
#include <stdio.h>

static int table[1024];

int main(void) {
    int sum = 0;
    for (int i = 0; i < 10000000; i++) {
        sum += (i * 3) ^ i;
        sum &= 1048575;
        table[i & 1023] ^= sum;
    }
    printf("%d\n", sum);
    return 0;
}
