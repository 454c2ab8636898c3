//! A 64-bit read-modify-write is one step on ILP32.
//! expect: unreach-call true
//! expect: no-data-race true
//! data-model: ILP32
typedef unsigned long pthread_t;
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void reach_error(void);

static _Atomic long long x = 0xffffffffLL;

static void *child(void *arg) {
    x++;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, child, 0);
    x++;
    pthread_join(a, 0);
    if (x != 0x100000001LL)
        reach_error();
    return 0;
}
