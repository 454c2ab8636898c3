//! calloc and static storage start as zero, also the rest of a partly initialised array.
//! expect: unreach-call true
//! expect: no-uninit true
#include <assert.h>
#include <stdlib.h>

static struct { int a; void *b; } global;

int main(void) {
    static int local;
    int *p = calloc(2, sizeof *p);
    int partly[3] = {1};
    assert(p[0] == 0 && p[1] == 0);
    assert(global.a == 0 && global.b == 0 && local == 0);
    assert(partly[1] == 0 && partly[2] == 0);
    free(p);
    return 0;
}
