//! A word that is read from a stream has at least one character, and none of them is a blank.
//! expect: unreach-call true
//! gcc: skip reads its input
#include <assert.h>
#include <stdio.h>

int main(void) {
    char word[2];
    if (scanf("%1s", word) == 1)
        assert(word[0] != 0 && word[0] != ' ' && word[0] != '\n' && word[1] == 0);
    return 0;
}
