//! `getpwnam_r` that returns 0 may have found nobody, and then it has not filled the record.
//! expect: no-uninit false
//! gcc: skip undefined
#define _GNU_SOURCE
#include <pwd.h>

int main(void) {
    struct passwd record, *found;
    char buffer[1024];
    if (getpwnam_r("nobody", &record, buffer, sizeof buffer, &found))
        return 0;
    return record.pw_uid == 0 ? 1 : 0; // violation: no-uninit
}
