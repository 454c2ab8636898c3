//! SIGPIPE ends a process that writes to a pipe nobody can read: exit handlers do not run.
//! expect: unreach-call true
//! gcc: skip a signal ends it
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <stdlib.h>

static void fails(void) { assert(0); }

int main(void) {
    int ends[2];
    if (pipe(ends))
        return 1;
    atexit(fails);
    close(ends[0]);
    write(ends[1], "x", 1);
    assert(0);
    return 0;
}
