// What functions of pthread.h answer about attributes, keys, names and settings, beside the C library of this machine: all values around those that
// are valid, and what is read back. Run by check-library, together with library.c. Nothing here starts a thread.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

void check_threads(void);

#define UNDER_TEST(name) __typeof__(name) P_##name;
static int wrong;

#define SAME(mine, theirs) \
    do { \
        long my = (long)(mine), their = (long)(theirs); \
        if (my != their && wrong++ < 20) \
            printf("%s with %ld: %ld but %ld\n", #theirs, value, my, their); \
    } while (0)

UNDER_TEST(pthread_attr_init) UNDER_TEST(pthread_attr_destroy)
UNDER_TEST(pthread_attr_setdetachstate) UNDER_TEST(pthread_attr_getdetachstate)
UNDER_TEST(pthread_attr_setinheritsched) UNDER_TEST(pthread_attr_getinheritsched)
UNDER_TEST(pthread_attr_setschedpolicy) UNDER_TEST(pthread_attr_getschedpolicy)
UNDER_TEST(pthread_attr_setscope) UNDER_TEST(pthread_attr_getscope)
UNDER_TEST(pthread_attr_setstacksize) UNDER_TEST(pthread_attr_getstacksize)
UNDER_TEST(pthread_attr_setguardsize) UNDER_TEST(pthread_attr_getguardsize)
UNDER_TEST(pthread_mutexattr_init) UNDER_TEST(pthread_mutexattr_destroy)
UNDER_TEST(pthread_mutexattr_settype) UNDER_TEST(pthread_mutexattr_gettype)
UNDER_TEST(pthread_mutexattr_setpshared) UNDER_TEST(pthread_mutexattr_getpshared)
UNDER_TEST(pthread_mutexattr_setprotocol) UNDER_TEST(pthread_mutexattr_getprotocol)
UNDER_TEST(pthread_condattr_init) UNDER_TEST(pthread_condattr_setclock) UNDER_TEST(pthread_condattr_getclock)
UNDER_TEST(pthread_condattr_setpshared) UNDER_TEST(pthread_condattr_getpshared)
UNDER_TEST(pthread_rwlockattr_init) UNDER_TEST(pthread_rwlockattr_setpshared) UNDER_TEST(pthread_rwlockattr_getpshared)
UNDER_TEST(pthread_rwlockattr_setkind_np) UNDER_TEST(pthread_rwlockattr_getkind_np)
UNDER_TEST(pthread_barrierattr_init) UNDER_TEST(pthread_barrierattr_setpshared) UNDER_TEST(pthread_barrierattr_getpshared)
UNDER_TEST(pthread_barrier_init) UNDER_TEST(pthread_setcancelstate) UNDER_TEST(pthread_setcanceltype)
UNDER_TEST(pthread_key_create) UNDER_TEST(pthread_key_delete) UNDER_TEST(pthread_getspecific) UNDER_TEST(pthread_setspecific)
UNDER_TEST(pthread_setname_np) UNDER_TEST(pthread_equal) UNDER_TEST(pthread_setconcurrency)

// A setting is made and read back.
#define SETTING(set, get, mine, theirs) \
    do { \
        __typeof__(value) read = 0, there = 0; \
        SAME(P_##set(&mine, value), set(&theirs, value)); \
        SAME((P_##get(&mine, (void *)&read), read), (get(&theirs, (void *)&there), there)); \
    } while (0)

static void check_attributes(void) {
    pthread_attr_t my_attr, attr;
    pthread_mutexattr_t my_mutex, mutex;
    pthread_condattr_t my_cond, cond;
    pthread_rwlockattr_t my_lock, lock;
    pthread_barrierattr_t my_barrier, barrier;
    pthread_barrier_t my_point, point;
    long value = 0;
    SAME(P_pthread_attr_init(&my_attr), pthread_attr_init(&attr));
    SAME(P_pthread_mutexattr_init(&my_mutex), pthread_mutexattr_init(&mutex));
    SAME(P_pthread_condattr_init(&my_cond), pthread_condattr_init(&cond));
    SAME(P_pthread_rwlockattr_init(&my_lock), pthread_rwlockattr_init(&lock));
    SAME(P_pthread_barrierattr_init(&my_barrier), pthread_barrierattr_init(&barrier));
    for (value = -3; value < 16; value++) {
        SETTING(pthread_attr_setdetachstate, pthread_attr_getdetachstate, my_attr, attr);
        SETTING(pthread_attr_setinheritsched, pthread_attr_getinheritsched, my_attr, attr);
        SETTING(pthread_attr_setschedpolicy, pthread_attr_getschedpolicy, my_attr, attr);
        SETTING(pthread_attr_setscope, pthread_attr_getscope, my_attr, attr);
        SETTING(pthread_mutexattr_settype, pthread_mutexattr_gettype, my_mutex, mutex);
        SETTING(pthread_mutexattr_setpshared, pthread_mutexattr_getpshared, my_mutex, mutex);
        SETTING(pthread_mutexattr_setprotocol, pthread_mutexattr_getprotocol, my_mutex, mutex);
        SETTING(pthread_condattr_setclock, pthread_condattr_getclock, my_cond, cond);
        SETTING(pthread_condattr_setpshared, pthread_condattr_getpshared, my_cond, cond);
        SETTING(pthread_rwlockattr_setpshared, pthread_rwlockattr_getpshared, my_lock, lock);
        SETTING(pthread_rwlockattr_setkind_np, pthread_rwlockattr_getkind_np, my_lock, lock);
        SETTING(pthread_barrierattr_setpshared, pthread_barrierattr_getpshared, my_barrier, barrier);
        SAME(P_pthread_barrier_init(&my_point, 0, (unsigned)value), pthread_barrier_init(&point, 0, (unsigned)value));
        SAME(P_pthread_setconcurrency((int)value), pthread_setconcurrency((int)value));
    }
    static const long sizes[] = {0, 1, 4096, 16383, 16384, 16385, 65536, 1 << 20};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        value = sizes[i];
        SETTING(pthread_attr_setstacksize, pthread_attr_getstacksize, my_attr, attr);
        SETTING(pthread_attr_setguardsize, pthread_attr_getguardsize, my_attr, attr);
    }
    SAME(P_pthread_attr_destroy(&my_attr), pthread_attr_destroy(&attr));
    SAME(P_pthread_mutexattr_destroy(&my_mutex), pthread_mutexattr_destroy(&mutex));
}

static void check_settings(void) {
    long value;
    for (value = -2; value < 5; value++) {
        int mine = -1, theirs = -1;
        SAME(P_pthread_setcancelstate((int)value, &mine), pthread_setcancelstate((int)value, &theirs));
        SAME(mine, theirs);
        // Asynchronous cancellation is not modelled.
        if (value == 1)
            continue;
        mine = theirs = -1;
        SAME(P_pthread_setcanceltype((int)value, &mine), pthread_setcanceltype((int)value, &theirs));
        SAME(mine, theirs);
    }
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    static const char *const names[] = {"", "a", "fifteen letters", "sixteen letters.", "a longer name than that"};
    for (value = 0; value < 5; value++)
        SAME(P_pthread_setname_np(pthread_self(), names[value]), pthread_setname_np(pthread_self(), names[value]));
}

static void check_keys(void) {
    pthread_key_t mine[1100], theirs[1100];
    long value;
    // Some keys may be in use already by the machine's library itself.
    for (value = 0; value < 900; value++)
        SAME(P_pthread_key_create(&mine[value], 0), pthread_key_create(&theirs[value], 0));
    for (value = 0; value < 900; value++) {
        if (value % 3 == 0) {
            SAME(P_pthread_key_delete(mine[value]), pthread_key_delete(theirs[value]));
            SAME(P_pthread_key_delete(mine[value]), pthread_key_delete(theirs[value]));
        }
        SAME(P_pthread_setspecific(mine[value], &mine), pthread_setspecific(theirs[value], &mine));
        SAME(P_pthread_getspecific(mine[value]), pthread_getspecific(theirs[value]));
    }
    static const unsigned odd[] = {1024, 1025, 4096, ~0u};
    for (unsigned i = 0; i < 4; i++) {
        value = odd[i];
        SAME(P_pthread_setspecific(odd[i], &mine), pthread_setspecific(odd[i], &mine));
        SAME(P_pthread_getspecific(odd[i]), pthread_getspecific(odd[i]));
        SAME(P_pthread_key_delete(odd[i]), pthread_key_delete(odd[i]));
    }
}

void check_threads(void) {
    check_attributes();
    check_settings();
    check_keys();
    assert(wrong == 0);
}
