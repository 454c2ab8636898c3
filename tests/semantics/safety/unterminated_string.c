//! Library functions are checked like other code: strlen runs past an unterminated array.
//! expect: valid-memsafety false(valid-deref)
#include <string.h>

int main(void) {
    char word[3] = {'a', 'b', 'c'};
    char *volatile p = word;
    return strlen(p) == 0; // violation: valid-memsafety
}
