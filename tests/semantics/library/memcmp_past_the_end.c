//! `memcmp` may read all bytes that it is given, also those behind a difference.
//! expect: valid-memsafety false(valid-deref)
#include <string.h>

static unsigned long length = 5;

int main(void) {
    char word[4] = "abc";
    return memcmp(word, "axcdefgh", length) > 0; // violation: valid-memsafety
}
