//! signal returns the handler before, and refuses what is no signal.
//! expect: unreach-call true
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>

static void handler(int number) { (void)number; }

int main(void) {
    assert(signal(SIGUSR1, handler) == SIG_DFL);
    assert(signal(SIGUSR1, SIG_IGN) == handler);
    assert(signal(SIGKILL, handler) == SIG_ERR);
    return 0;
}
