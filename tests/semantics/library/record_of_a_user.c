//! `getpwnam_r` fills the record it is given if it says so, and its strings lie in the buffer.
//! expect: valid-memsafety true
//! expect: no-uninit true
#define _GNU_SOURCE
#include <pwd.h>

int main(void) {
    struct passwd record, *found;
    char buffer[1024];
    if (getpwnam_r("nobody", &record, buffer, sizeof buffer, &found) || !found)
        return 0;
    return record.pw_dir[0] == 0 ? 1 : 0;
}
