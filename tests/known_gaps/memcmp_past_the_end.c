//! Should be false(valid-deref), is true: `memcmp` reads no further than the first difference.
#include <string.h>
int main(void) { char b[4] = "abc"; return memcmp(b, "abcdefgh", 5); }
