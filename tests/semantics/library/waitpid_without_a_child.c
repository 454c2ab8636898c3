//! `waitpid` with WNOHANG may return 0, and then it has not written the status.
//! expect: no-uninit false
//! gcc: skip undefined
#include <sys/wait.h>

int main(void) {
    int status;
    if (waitpid(-1, &status, WNOHANG) < 0)
        return 0;
    return WIFEXITED(status) ? 1 : 0; // violation: no-uninit
}
