//! Two threads that wait for each other inside atomic blocks, beside a third that goes on for ever.
//! expect: no-deadlock false
//! gcc: skip does not terminate
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;

static void *first(void *_)
{
    pthread_mutex_lock(&a);
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&b); // violation: no-deadlock
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

static void *second(void *_)
{
    pthread_mutex_lock(&b);
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&a);
    __VERIFIER_atomic_end();
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    while (!stop)
        ;

    return 0;
}
