//! A scalar access is one indivisible step, also a 64-bit one on ILP32: no torn value is seen.
//! expect: unreach-call true
//! expect: no-data-race false
//! data-model: ILP32
//! gcc: skip a 32-bit machine would tear the access
typedef unsigned long pthread_t;
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void reach_error(void);

static long long x;

static void *writer(void *arg) {
    x = -1LL; // violation: no-data-race
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    long long seen = x; // violation: no-data-race
    if (seen != 0 && seen != -1LL)
        reach_error();
    pthread_join(a, 0);
    return 0;
}
