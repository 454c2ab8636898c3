// A race with the access after which `main` returns: shown only if that one comes last.
#include <pthread.h>
int x = 1;
void *thread0(void *argument) {
    __VERIFIER_assert(x == 0);
}
void *thread1(void *argument) {
}
void *thread2(void *argument) {
    int e2 = 0;
    while (!__atomic_compare_exchange_n(&x, &e2, e2 + 1, 1, 5, 5)) ;
}
int main(void) {
    pthread_t t0, t1, t2;
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, &x);
    pthread_join(t1, 0);
    __VERIFIER_assert(x <= 4);
    return 0;
}
