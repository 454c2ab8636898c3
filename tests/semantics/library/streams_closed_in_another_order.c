//! Streams are closed in any order.
//! expect: valid-memsafety true
#include <stdio.h>

int main(void) {
    FILE *first = fopen("first", "r");
    FILE *second = fopen("second", "r");
    FILE *third = fopen("third", "r");
    if (second)
        fclose(second);
    if (third)
        fclose(third);
    if (first)
        fclose(first);
    return 0;
}
