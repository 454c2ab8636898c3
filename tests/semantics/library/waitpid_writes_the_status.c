//! `waitpid` that names a child has written its status; without WUNTRACED no child was stopped.
//! expect: unreach-call true
//! expect: no-uninit true
//! gcc: skip has no children
#include <assert.h>
#include <sys/wait.h>

int main(void) {
    int status;
    if (waitpid(3, &status, 0) <= 0)
        return 0;
    assert(!WIFSTOPPED(status));
    assert(WIFEXITED(status) || WIFSIGNALED(status));
    return 0;
}
