//! `getpwnam_r` with a buffer that is too small finds nobody.
//! expect: unreach-call true
//! expect: valid-memsafety true
//! expect: no-uninit true
#define _GNU_SOURCE
#include <assert.h>
#include <pwd.h>

int main(void) {
    struct passwd record, *found = &record;
    char buffer[1];
    getpwnam_r("nobody", &record, buffer, sizeof buffer, &found);
    assert(!found);
    return 0;
}
