//! Writes to an eventfd add up; a read takes it all, and waits while there is nothing.
//! expect: unreach-call true
//! expect: no-data-race true
//! expect: no-deadlock true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <stdint.h>
#include <sys/eventfd.h>

static int counter, data;

static void *adds(void *a) {
    uint64_t two = 2, three = 3;
    data = 1;
    assert(write(counter, &two, sizeof two) == sizeof two);
    assert(write(counter, &three, sizeof three) == sizeof three);
    return a;
}

int main(void) {
    pthread_t t;
    uint64_t got = 0, sum = 0;
    counter = eventfd(0, 0);
    assert(counter >= 0);
    pthread_create(&t, 0, adds, 0);
    while (sum < 5) {
        assert(read(counter, &got, sizeof got) == sizeof got);
        assert(data == 1 && (got == 2 || got == 3 || got == 5));
        sum += got;
    }
    assert(sum == 5);
    pthread_join(t, 0);
    return 0;
}
