#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
int e, g;
void *w(void *a) { uint64_t v; g = 1; read(e, &v, 8); return 0; }
int main(void) {
    pthread_t t;
    uint64_t v;
    e = eventfd(1, EFD_NONBLOCK);
    pthread_create(&t, 0, w, 0);
    if (read(e, &v, 8) == -1) g++;
    pthread_join(t, 0);
    return 0;
}
