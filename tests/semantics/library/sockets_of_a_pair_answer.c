//! What goes into one socket of a pair comes out of the other, in both directions.
//! expect: unreach-call true
//! expect: no-deadlock true
//! expect: no-data-race true
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/socket.h>

static int two[2];

static void *answers(void *a) {
    char c;
    assert(recv(two[1], &c, 1, 0) == 1);
    c++;
    assert(send(two[1], &c, 1, 0) == 1);
    return a;
}

int main(void) {
    pthread_t t;
    char c = 'a';
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, two))
        return 1;
    pthread_create(&t, 0, answers, 0);
    assert(send(two[0], &c, 1, 0) == 1);
    assert(recv(two[0], &c, 1, 0) == 1 && c == 'b');
    pthread_join(t, 0);
    assert(shutdown(two[1], SHUT_WR) == 0);
    assert(recv(two[0], &c, 1, 0) == 0);
    return 0;
}
