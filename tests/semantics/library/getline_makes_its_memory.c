//! `getline` allocates, terminates what it read, and leaves it to the caller to free, whatever it returns.
//! expect: valid-memsafety true
//! expect: no-uninit true
//! gcc: skip reads the standard input
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = 0;
    size_t room = 0;
    int found = 0;
    if (getline(&line, &room, stdin) > 0)
        found = line[0] == 'a';
    free(line);
    return found;
}
