//! What a conversion of a set reads from a stream can be anything in that set.
//! expect: unreach-call false
//! gcc: skip reads its input
#include <assert.h>
#include <stdio.h>

int main(void) {
    char word[2];
    if (scanf("%1[ab]", word) == 1)
        assert(word[0] == 'a'); // violation: unreach-call
    return 0;
}
