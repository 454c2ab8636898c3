//! `bsearch` may compare its key with any element: one of them is not as long as the comparison function takes it to be.
//! expect: valid-memsafety false(valid-deref)
//! gcc: skip the byte behind the text is read without complaint
#include <stdlib.h>
#include <string.h>

static const char two[2] = {'a', 'b'};
static const char *names[4] = {two, "b", "c", "d"};

static int compares(const void *key, const void *element) {
    return strcmp(key, *(const char *const *)element); // violation: valid-memsafety
}

int main(void) {
    return bsearch("abc", names, 4, sizeof *names, compares) != 0 && 0;
}
