//! `fgets` need not fill its buffer: what lies behind the null is as it was.
//! expect: no-uninit false
//! gcc: skip the input decides
#include <stdio.h>

int main(void) {
    char line[8];
    if (fgets(line, 8, stdin) && line[2] == 'x') // violation: no-uninit
        return 1;
    return 0;
}
