//! A word that is read from a stream can have any characters but blanks.
//! expect: unreach-call false
//! gcc: skip reads its input
#include <assert.h>
#include <stdio.h>

int main(void) {
    char word[2];
    if (scanf("%1s", word) == 1)
        assert(word[0] != 'b'); // violation: unreach-call
    return 0;
}
