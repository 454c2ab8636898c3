//! `getline` returns -1 at the end: what is in front of the line is not part of it.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip reads the standard input
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = 0;
    size_t room = 0;
    long length = getline(&line, &room, stdin);
    line[length - 1] = 0; // violation: valid-memsafety
    free(line);
    return 0;
}
