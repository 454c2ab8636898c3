//! `fgets` that succeeds has read a character, and written a null behind the last one.
//! expect: no-uninit true
//! expect: unreach-call true
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[3];
    if (fgets(line, 2, stdin))
        assert(line[1] == 0);
    if (fgets(line, 3, stdin) && line[1] == 'x')
        return 1;
    return 0;
}
