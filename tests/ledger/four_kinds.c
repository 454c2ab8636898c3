//! Four parts with an assertion each: one is proved by the engines that make formulas of threads, one by the execution engine only, one by the
//! refinement engine only, and one by none. Asked as one property, each part leaves all four open.
//! expect: unreach-call true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Fractions: the execution engine computes with them, the others do not. */
static double total;

static void *add_half(void *arg) {
    pthread_mutex_lock(&lock);
    total += 0.5;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void fractions(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add_half, 0);
    pthread_create(&b, 0, add_half, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total == 1.0);
}

/* A recursion over what fresh memory happens to hold: one formula has all contents, and executions try only some. */
static unsigned base, power, product;

static unsigned raise(unsigned exponent) {
    return exponent == 0 ? 1 : base * raise(exponent - 1);
}

static void *fast(void *arg) {
    unsigned square = base * base;
    power = square * square;
    return arg;
}

static void *slow(void *arg) {
    product = raise(4);
    return arg;
}

static void contents(void) {
    pthread_t a, b;
    unsigned *fresh = malloc(sizeof *fresh);
    base = *fresh % 16;
    pthread_create(&a, 0, fast, 0);
    pthread_create(&b, 0, slow, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(power == product);
    free(fresh);
}

/* Loops without end: an inductive proof has all iterations. */
static int count;

static void *up(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        if (count < 1000)
            count++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *down(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        if (count > 0)
            count--;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void endless(void) {
    pthread_t a, b;
    pthread_create(&a, 0, up, 0);
    pthread_create(&b, 0, down, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(count <= 1000);
        pthread_mutex_unlock(&lock);
    }
}

/* The sum of the first odd numbers is a square: no engine knows such an invariant. */
static unsigned sum, odd = 1;

static void *squares(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        sum += odd;
        odd += 2;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void nonlinear(void) {
    pthread_t a, b;
    pthread_create(&a, 0, squares, 0);
    pthread_create(&b, 0, squares, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        unsigned root = odd / 2;
        assert(sum == root * root);
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    static atomic_int flag;
    int zero = 0;
    /* It may fail without a reason. */
    if (atomic_compare_exchange_weak(&flag, &zero, 1)) {
        fractions();
        return 0;
    }
    switch (__VERIFIER_nondet_int()) {
    case 0:
        contents();
        break;
    case 1:
        endless();
        break;
    default:
        nonlinear();
    }
    return 0;
}
