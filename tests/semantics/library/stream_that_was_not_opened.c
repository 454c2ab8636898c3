//! What `fopen` returns may be null, and no function takes a null pointer for a stream.
//! expect: valid-memsafety false(valid-deref)
#include <stdio.h>

int main(void) {
    FILE *from = fopen("settings", "r");
    return fgetc(from) == 'a'; // violation: valid-memsafety
}
