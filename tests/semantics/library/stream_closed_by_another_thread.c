//! A stream is closed while another thread reads it.
//! expect: no-data-race false
//! gcc: skip whether the file exists decides
#include <pthread.h>
#include <stdio.h>

static FILE *from;

static void *reader(void *unused) {
    fgetc(from); // violation: no-data-race
    return unused;
}

int main(void) {
    pthread_t thread;
    from = fopen("settings", "r");
    if (!from)
        return 0;
    pthread_create(&thread, 0, reader, 0);
    fclose(from); // violation: no-data-race
    pthread_join(thread, 0);
    return 0;
}
