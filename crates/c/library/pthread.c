// pthread.h in terms of the guarded actions of `docs/library-intrinsics.md`.
//
// Objects keep glibc's sizes and static initialisers; all-zero is a free object of the default kind.
// The library's own shared state is only touched by atomic operations, so that it never races and
// never orders a user's threads more than POSIX does.
//
// Not modelled: asynchronous cancellation, and cancelling a thread that waits for a thread or a semaphore (executions end
// there), priorities and affinity (accepted, without effect).

typedef __SIZE_TYPE__ size_t;

unsigned long __raddle_thread_new(void *(*function)(void *), void *argument);
void __raddle_thread_start(unsigned long thread);
void *__raddle_thread_join(unsigned long thread);
int __raddle_thread_join_code(void);
int __raddle_thread_has_ended(unsigned long thread);
int __raddle_thread_detach(unsigned long thread);
unsigned long __raddle_thread_self(void);
_Noreturn void __raddle_thread_exit(void *result);
_Noreturn void exit(int status);
void __raddle_yield(void);
void __raddle_fuse_begin(void);
void __raddle_fuse_end(void);
void *__raddle_malloc(unsigned long size);
void __raddle_free(void *p);
int __raddle_uses(const char *name);
void __raddle_violation(const char *property, const char *message);
_Noreturn void __raddle_unsupported(const char *what);
_Bool __raddle_nondet_bool(void);
unsigned char __raddle_nondet_uchar(void);

void __raddle_mutex_init(void *m, int kind);
int __raddle_mutex_destroy(void *m);
int __raddle_mutex_lock(void *m);
int __raddle_mutex_trylock(void *m);
int __raddle_mutex_timedlock(void *m);
int __raddle_mutex_unlock(void *m);
void __raddle_spin_init(void *s);
int __raddle_spin_destroy(void *s);
int __raddle_spin_lock(void *s);
int __raddle_spin_trylock(void *s);
int __raddle_spin_unlock(void *s);
void __raddle_rw_init(void *l);
int __raddle_rw_destroy(void *l);
int __raddle_rw_rdlock(void *l);
int __raddle_rw_tryrdlock(void *l);
int __raddle_rw_timedrdlock(void *l);
int __raddle_rw_wrlock(void *l);
int __raddle_rw_trywrlock(void *l);
int __raddle_rw_timedwrlock(void *l);
int __raddle_rw_unlock(void *l);
void __raddle_cond_init(void *c);
int __raddle_cond_destroy(void *c);
void __raddle_cond_enqueue(void *c);
int __raddle_cond_block(void *c, int timed);
void __raddle_cond_signal(void *c);
void __raddle_cond_broadcast(void *c);
void __raddle_await_ne(void *word, int value);
void __raddle_await_eq(void *word, int value);

enum {
    RADDLE_SEQ_CST = 5,
    RADDLE_EAGAIN = 11,
    RADDLE_EBUSY = 16,
    RADDLE_EINVAL = 22,
    RADDLE_ERANGE = 34,
    RADDLE_ENOTSUP = 95
};

// The deadline of a timed function, read as plain memory of the user. Whether a deadline has passed is anything.

struct raddle_deadline {
    long seconds;
    long nanoseconds;
};

static int raddle_is_malformed(const void *until) {
    long nanoseconds = ((const struct raddle_deadline *)until)->nanoseconds;
    return nanoseconds < 0 || nanoseconds >= 1000000000;
}

// CLOCK_REALTIME and CLOCK_MONOTONIC are the clocks that functions with a deadline accept.
static int raddle_is_wait_clock(int clock) { return clock == 0 || clock == 1; }

// Threads

struct raddle_thread_attr {
    int detached, inherits, policy, scope;
    size_t stack_size, guard_size;
    void *stack;
};

struct raddle_start {
    void *(*function)(void *);
    void *argument;
    int place;
};

// Keys. As in glibc, a key has a sequence number that creation makes odd and deletion makes even again, and a value
// remembers the number under which it was set: a key that is created again shows no old values. Where nothing deletes
// keys, those in use are the first `raddle_key_top`, and there are no sequence numbers.

//
// The first keys are apart from the others, because small arrays are easier to reason about.

enum { RADDLE_FIRST_KEYS = 64, RADDLE_KEYS = 1024, RADDLE_MORE_KEYS = RADDLE_KEYS - RADDLE_FIRST_KEYS, RADDLE_DESTRUCTOR_ROUNDS = 4 };

static unsigned raddle_key_top; // keys that were ever in use; more if a creation was refused
static unsigned raddle_key_sequence[RADDLE_FIRST_KEYS], raddle_more_sequences[RADDLE_MORE_KEYS];
static void (*raddle_key_destructor[RADDLE_FIRST_KEYS])(void *);
static void (*raddle_more_destructors[RADDLE_MORE_KEYS])(void *);
static _Thread_local void *raddle_key_value[RADDLE_FIRST_KEYS], *raddle_more_values[RADDLE_MORE_KEYS];
static _Thread_local unsigned raddle_key_set_under[RADDLE_FIRST_KEYS], raddle_more_set_under[RADDLE_MORE_KEYS];

static void *raddle_value(unsigned key) {
    if (key < RADDLE_FIRST_KEYS)
        return raddle_key_value[key];
    return raddle_more_values[key - RADDLE_FIRST_KEYS];
}

static void raddle_set_value(unsigned key, void *value) {
    if (key < RADDLE_FIRST_KEYS)
        raddle_key_value[key] = value;
    else
        raddle_more_values[key - RADDLE_FIRST_KEYS] = value;
}

static unsigned raddle_sequence(unsigned key) {
    if (key < RADDLE_FIRST_KEYS)
        return __atomic_load_n(&raddle_key_sequence[key], RADDLE_SEQ_CST);
    return __atomic_load_n(&raddle_more_sequences[key - RADDLE_FIRST_KEYS], RADDLE_SEQ_CST);
}

// Goes on from a sequence number to the next, if it still is that one.
static int raddle_advance(unsigned key, unsigned sequence) {
    if (key < RADDLE_FIRST_KEYS)
        return __atomic_compare_exchange_n(&raddle_key_sequence[key], &sequence, sequence + 1, 0, RADDLE_SEQ_CST,
                                           RADDLE_SEQ_CST);
    return __atomic_compare_exchange_n(&raddle_more_sequences[key - RADDLE_FIRST_KEYS], &sequence, sequence + 1, 0,
                                       RADDLE_SEQ_CST, RADDLE_SEQ_CST);
}

static unsigned raddle_set_under(unsigned key) {
    if (key < RADDLE_FIRST_KEYS)
        return raddle_key_set_under[key];
    return raddle_more_set_under[key - RADDLE_FIRST_KEYS];
}

static int raddle_deletes_keys(void) { return __raddle_uses("pthread_key_delete") || __raddle_uses("tss_delete"); }
static int raddle_has_keys(void) { return __raddle_uses("pthread_key_create") || __raddle_uses("tss_create"); }

static int raddle_key_is_current(unsigned key) {
    return !raddle_deletes_keys() || raddle_set_under(key) == raddle_sequence(key);
}

// A value is gone before its destructor runs, also where there is none.
static void raddle_run_destructors(void) {
    if (!raddle_has_keys())
        return;
    for (int round = 0; round < RADDLE_DESTRUCTOR_ROUNDS; round++) {
        int ran = 0;
        unsigned top = __atomic_load_n(&raddle_key_top, RADDLE_SEQ_CST);
        for (unsigned key = 0; key < top && key < RADDLE_KEYS; key++) {
            void *value = raddle_value(key);
            if (!value)
                continue;
            raddle_set_value(key, 0);
            if (!raddle_key_is_current(key))
                continue;
            void (*destructor)(void *);
            if (key < RADDLE_FIRST_KEYS)
                destructor = __atomic_load_n(&raddle_key_destructor[key], RADDLE_SEQ_CST);
            else
                destructor = __atomic_load_n(&raddle_more_destructors[key - RADDLE_FIRST_KEYS], RADDLE_SEQ_CST);
            if (!destructor)
                continue;
            destructor(value);
            ran = 1;
        }
        if (!ran)
            return;
    }
}

// The lowest key that is not in use.
static unsigned raddle_take_key(void) {
    for (unsigned key = 0; key < RADDLE_KEYS; key++) {
        unsigned sequence = raddle_sequence(key);
        if (sequence % 2 == 0 && raddle_advance(key, sequence)) {
            if (sequence == 0)
                __atomic_fetch_add(&raddle_key_top, 1, RADDLE_SEQ_CST);
            return key;
        }
    }
    return RADDLE_KEYS;
}

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    unsigned fresh =
        raddle_deletes_keys() ? raddle_take_key() : __atomic_fetch_add(&raddle_key_top, 1, RADDLE_SEQ_CST);
    if (fresh >= RADDLE_KEYS)
        return RADDLE_EAGAIN;
    if (fresh < RADDLE_FIRST_KEYS)
        __atomic_store_n(&raddle_key_destructor[fresh], destructor, RADDLE_SEQ_CST);
    else
        __atomic_store_n(&raddle_more_destructors[fresh - RADDLE_FIRST_KEYS], destructor, RADDLE_SEQ_CST);
    *key = fresh;
    return 0;
}

int pthread_key_delete(unsigned key) {
    if (key >= RADDLE_KEYS)
        return RADDLE_EINVAL;
    unsigned sequence = raddle_sequence(key);
    return sequence % 2 && raddle_advance(key, sequence) ? 0 : RADDLE_EINVAL;
}

void *pthread_getspecific(unsigned key) {
    if (key >= RADDLE_KEYS)
        return 0;
    void *value = raddle_value(key);
    return value && raddle_key_is_current(key) ? value : 0;
}

int pthread_setspecific(unsigned key, const void *value) {
    if (key >= RADDLE_KEYS)
        return RADDLE_EINVAL;
    if (raddle_deletes_keys()) {
        unsigned sequence = raddle_sequence(key);
        if (sequence % 2 == 0)
            return RADDLE_EINVAL;
        if (key < RADDLE_FIRST_KEYS)
            raddle_key_set_under[key] = sequence;
        else
            raddle_more_set_under[key - RADDLE_FIRST_KEYS] = sequence;
    } else if (key >= __atomic_load_n(&raddle_key_top, RADDLE_SEQ_CST)) {
        return RADDLE_EINVAL;
    }
    raddle_set_value(key, (void *)value);
    return 0;
}

// After main's pthread_exit the process ends with its last thread, as if that called exit(0). Only a
// handler of atexit can tell the difference, so threads are counted only where there is one.

static int raddle_live_threads = 1;

static int raddle_counts_threads(void) { return __raddle_uses("atexit") && __raddle_uses("pthread_exit"); }

static void raddle_leave(void) {
    raddle_run_destructors();
    if (raddle_counts_threads() && __atomic_sub_fetch(&raddle_live_threads, 1, RADDLE_SEQ_CST) == 0)
        exit(0);
}

// Cancellation. Where a program cancels threads, each has a place in these tables from its creation on: its handle, whether it
// was cancelled, and where it waits. It acts on that at its next cancellation point; one that sleeps on a condition variable is
// woken. Who comes later to have a handle that was used before has a later place.

enum { RADDLE_PLACES = 16 };

static unsigned long raddle_handles[RADDLE_PLACES];
static int raddle_cancelled[RADDLE_PLACES];
static void *raddle_sleeps_on[RADDLE_PLACES];
static int raddle_waits[RADDLE_PLACES]; // 1 in a way that only what it waits for can end; -1 where it is not to be disturbed
static int raddle_places = 1;           // the first thread has the first one
static _Thread_local int raddle_place;
static _Thread_local int raddle_cancel_state, raddle_cancel_type;

static int raddle_take_place(void) {
    int place = __atomic_fetch_add(&raddle_places, 1, RADDLE_SEQ_CST);
    if (place >= RADDLE_PLACES)
        __raddle_unsupported("cancellation with more than 15 threads");
    return place;
}

static int raddle_is_cancelled(void) {
    return raddle_cancel_state == 0 && __atomic_load_n(&raddle_cancelled[raddle_place], RADDLE_SEQ_CST);
}

_Noreturn void pthread_exit(void *result);

static _Noreturn void raddle_act(void) {
    raddle_cancel_state = 1;
    pthread_exit((void *)-1);
}

// A place where a cancelled thread ends.
void raddle_cancellation_point(void) {
    if (raddle_is_cancelled())
        raddle_act();
}

// The same before something that blocks until what it waits for has happened.
void raddle_begin_to_wait(void) {
    __raddle_fuse_begin();
    int cancelled = raddle_is_cancelled();
    if (!cancelled && raddle_cancel_state == 0)
        __atomic_store_n(&raddle_waits[raddle_place], 1, RADDLE_SEQ_CST);
    __raddle_fuse_end();
    if (cancelled)
        raddle_act();
}

void raddle_end_waiting(void) { __atomic_store_n(&raddle_waits[raddle_place], 0, RADDLE_SEQ_CST); }

int pthread_cancel(unsigned long thread) {
    int place = __atomic_load_n(&raddle_places, RADDLE_SEQ_CST) - 1;
    while (place >= 0 && __atomic_load_n(&raddle_handles[place], RADDLE_SEQ_CST) != thread)
        place--;
    if (place < 0) {
        __raddle_violation("valid-sync", "cancellation of a thread that was joined, or is none");
        return 3;
    }
    int alone = 1, places = __atomic_load_n(&raddle_places, RADDLE_SEQ_CST);
    __raddle_fuse_begin();
    __atomic_store_n(&raddle_cancelled[place], 1, RADDLE_SEQ_CST);
    void *cond = __atomic_load_n(&raddle_sleeps_on[place], RADDLE_SEQ_CST);
    int waits = __atomic_load_n(&raddle_waits[place], RADDLE_SEQ_CST);
    if (cond && waits >= 0) {
        for (int i = 0; i < places; i++)
            if (i != place && __atomic_load_n(&raddle_sleeps_on[i], RADDLE_SEQ_CST) == cond)
                alone = 0;
        if (alone)
            __raddle_cond_broadcast(cond);
    }
    __raddle_fuse_end();
    if (waits > 0)
        __raddle_unsupported("cancelling a thread that waits for a thread or a semaphore");
    if (!alone)
        __raddle_unsupported("cancelling one of several threads that sleep on a condition variable");
    return 0;
}

// The number of a thread, for gettid; that of the first thread is 0.
_Thread_local int raddle_number;
static int raddle_numbers;

static int raddle_has_numbers(void) { return __raddle_uses("gettid"); }

static void *raddle_started(void *argument) {
    struct raddle_start *start = argument;
    void *(*function)(void *) = start->function;
    void *given = start->argument;
    if (__raddle_uses("pthread_cancel"))
        raddle_place = start->place;
    __raddle_free(start);
    if (raddle_has_numbers())
        raddle_number = __atomic_add_fetch(&raddle_numbers, 1, RADDLE_SEQ_CST);
    void *result = function(given);
    raddle_leave();
    return result;
}

int pthread_create(unsigned long *thread, const void *attr, void *(*function)(void *), void *argument) {
    unsigned long handle;
    if (raddle_counts_threads())
        __atomic_fetch_add(&raddle_live_threads, 1, RADDLE_SEQ_CST);
    if (raddle_has_keys() || raddle_counts_threads() || raddle_has_numbers() || __raddle_uses("pthread_cancel")) {
        struct raddle_start *start = __raddle_malloc(sizeof *start);
        start->function = function;
        start->argument = argument;
        if (__raddle_uses("pthread_cancel"))
            start->place = raddle_take_place();
        int place = __raddle_uses("pthread_cancel") ? start->place : 0;
        handle = __raddle_thread_new(raddle_started, start);
        if (__raddle_uses("pthread_cancel"))
            __atomic_store_n(&raddle_handles[place], handle, RADDLE_SEQ_CST);
    } else {
        handle = __raddle_thread_new(function, argument);
    }
    *thread = handle;
    if (attr && ((const struct raddle_thread_attr *)attr)->detached)
        __raddle_thread_detach(handle);
    __raddle_thread_start(handle);
    return 0;
}

// A thread that was joined cannot be cancelled any more.
static void raddle_forget(unsigned long thread) {
    for (int place = __atomic_load_n(&raddle_places, RADDLE_SEQ_CST) - 1; place >= 0; place--)
        if (__atomic_load_n(&raddle_handles[place], RADDLE_SEQ_CST) == thread)
            __atomic_store_n(&raddle_handles[place], 0, RADDLE_SEQ_CST);
}

int pthread_join(unsigned long thread, void **result) {
    if (__raddle_uses("pthread_cancel"))
        raddle_begin_to_wait();
    void *returned = __raddle_thread_join(thread);
    int code = __raddle_thread_join_code();
    if (__raddle_uses("pthread_cancel"))
        raddle_end_waiting();
    if (__raddle_uses("pthread_cancel"))
        if (!code)
            raddle_forget(thread);
    if (result && !code)
        *result = returned;
    return code;
}

int pthread_timedjoin_np(unsigned long thread, void **result, const void *until) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    // The time may be over at any moment at which the thread still runs; glibc takes a malformed one for none.
    if (until && !raddle_is_malformed(until) && !__raddle_thread_has_ended(thread))
        return 110;
    return pthread_join(thread, result);
}

int pthread_tryjoin_np(unsigned long thread, void **result) {
    if (!__raddle_thread_has_ended(thread))
        return RADDLE_EBUSY;
    return pthread_join(thread, result);
}

// pthread_cleanup_push registers a buffer of its own; the front end passes the handler and its argument besides. Handlers that
// are still there are run by pthread_exit and by cancellation.
struct raddle_cleanup {
    void (*handler)(void *);
    void *argument;
    struct raddle_cleanup *next;
};
static _Thread_local struct raddle_cleanup *raddle_cleanups;

void __pthread_register_cancel(void *buffer, void (*handler)(void *), void *argument) {
    struct raddle_cleanup *cleanup = buffer;
    cleanup->handler = handler;
    cleanup->argument = argument;
    cleanup->next = raddle_cleanups;
    raddle_cleanups = cleanup;
}

void __pthread_unregister_cancel(void *buffer) { raddle_cleanups = ((struct raddle_cleanup *)buffer)->next; }
_Noreturn void __pthread_unwind_next(void *buffer) { __raddle_abort(); }
int __sigsetjmp_cancel(void *environment, int save_mask) { return 0; }

// How many routines of pthread_once this thread is in.
static _Thread_local int raddle_onces;

static void raddle_clean_up(void) {
    while (raddle_cleanups) {
        struct raddle_cleanup *cleanup = raddle_cleanups;
        raddle_cleanups = cleanup->next;
        cleanup->handler(cleanup->argument);
    }
}

_Noreturn void pthread_exit(void *result) {
    // glibc makes the routine as if it had never been called.
    if (__raddle_uses("pthread_once") && raddle_onces)
        __raddle_unsupported("a thread that ends in a routine of pthread_once");
    if (__raddle_uses("__pthread_register_cancel"))
        raddle_clean_up();
    raddle_leave();
    __raddle_thread_exit(result);
}

int pthread_detach(unsigned long thread) { return __raddle_thread_detach(thread); }

unsigned long pthread_self(void) {
    unsigned long self = __raddle_thread_self();
    // Nobody else can name the first thread.
    if (__raddle_uses("pthread_cancel") && raddle_place == 0)
        __atomic_store_n(&raddle_handles[0], self, RADDLE_SEQ_CST);
    return self;
}

int pthread_equal(unsigned long a, unsigned long b) { return a == b; }

int pthread_yield(void) {
    __raddle_yield();
    return 0;
}

static int raddle_exchange(int *mine, int value, int *old) {
    if (value != 0 && value != 1)
        return RADDLE_EINVAL;
    if (old)
        *old = *mine;
    *mine = value;
    return 0;
}

int pthread_setcancelstate(int state, int *old) { return raddle_exchange(&raddle_cancel_state, state, old); }

int pthread_setcanceltype(int type, int *old) {
    if (__raddle_uses("pthread_cancel") && type == 1)
        __raddle_unsupported("asynchronous cancellation");
    return raddle_exchange(&raddle_cancel_type, type, old);
}

void pthread_testcancel(void) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
}

// Names have up to 15 characters. Which one a thread has is not remembered.
int pthread_setname_np(unsigned long thread, const char *name) {
    int n = 0;
    (void)thread;
    while (name[n])
        n++;
    return n < 16 ? 0 : RADDLE_ERANGE;
}

int pthread_getname_np(unsigned long thread, char *name, size_t room) {
    (void)thread;
    if (room < 16)
        return RADDLE_ERANGE;
    for (int i = 0; i < 15; i++)
        name[i] = (char)__raddle_nondet_uchar();
    name[15] = 0;
    return 0;
}

int pthread_setconcurrency(int level) { return level < 0 ? RADDLE_EINVAL : 0; }
int pthread_getconcurrency(void) { return 0; }
int pthread_setschedparam(unsigned long thread, int policy, const void *p) { (void)thread; (void)policy; (void)p; return 0; }
int pthread_setaffinity_np(unsigned long thread, size_t size, const void *set) { (void)thread; (void)size; (void)set; return 0; }
int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}

// Thread attributes

int pthread_attr_init(void *attr) {
    struct raddle_thread_attr fresh = {0, 0, 0, 0, 8388608, 4096, 0};
    *(struct raddle_thread_attr *)attr = fresh;
    return 0;
}

int pthread_attr_destroy(void *attr) { (void)attr; return 0; }

int pthread_attr_setdetachstate(void *attr, int detached) {
    if (detached != 0 && detached != 1)
        return RADDLE_EINVAL;
    ((struct raddle_thread_attr *)attr)->detached = detached;
    return 0;
}

int pthread_attr_getdetachstate(const void *attr, int *detached) {
    *detached = ((const struct raddle_thread_attr *)attr)->detached;
    return 0;
}

int pthread_attr_setstacksize(void *attr, size_t size) {
    if (size < 16384)
        return RADDLE_EINVAL;
    ((struct raddle_thread_attr *)attr)->stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const void *attr, size_t *size) {
    *size = ((const struct raddle_thread_attr *)attr)->stack_size;
    return 0;
}

int pthread_attr_setguardsize(void *attr, size_t size) {
    ((struct raddle_thread_attr *)attr)->guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const void *attr, size_t *size) {
    *size = ((const struct raddle_thread_attr *)attr)->guard_size;
    return 0;
}

int pthread_attr_setstack(void *attr, void *stack, size_t size) {
    ((struct raddle_thread_attr *)attr)->stack = stack;
    return pthread_attr_setstacksize(attr, size);
}

int pthread_attr_setinheritsched(void *attr, int inherits) {
    if (inherits != 0 && inherits != 1)
        return RADDLE_EINVAL;
    ((struct raddle_thread_attr *)attr)->inherits = inherits;
    return 0;
}

int pthread_attr_getinheritsched(const void *attr, int *inherits) {
    *inherits = ((const struct raddle_thread_attr *)attr)->inherits;
    return 0;
}

int pthread_attr_setschedpolicy(void *attr, int policy) {
    if (policy < 0 || policy > 2)
        return RADDLE_EINVAL;
    ((struct raddle_thread_attr *)attr)->policy = policy;
    return 0;
}

int pthread_attr_getschedpolicy(const void *attr, int *policy) {
    *policy = ((const struct raddle_thread_attr *)attr)->policy;
    return 0;
}

int pthread_attr_setschedparam(void *attr, const void *p) { (void)attr; (void)p; return 0; }

int pthread_attr_setscope(void *attr, int scope) {
    if (scope != 0)
        return scope == 1 ? RADDLE_ENOTSUP : RADDLE_EINVAL;
    ((struct raddle_thread_attr *)attr)->scope = scope;
    return 0;
}

int pthread_attr_getscope(const void *attr, int *scope) {
    *scope = ((const struct raddle_thread_attr *)attr)->scope;
    return 0;
}

// Mutexes. An attribute is one int: the kind in its low two bits, the rest remembered above.

int pthread_mutexattr_init(int *attr) { *attr = 0; return 0; }
int pthread_mutexattr_destroy(int *attr) { (void)attr; return 0; }

int pthread_mutexattr_settype(int *attr, int kind) {
    if (kind < 0 || kind > 3)
        return RADDLE_EINVAL;
    *attr = (*attr & ~3) | kind;
    return 0;
}

int pthread_mutexattr_gettype(const int *attr, int *kind) { *kind = *attr & 3; return 0; }

static int raddle_is_truth(int value) { return value == 0 || value == 1; }

int pthread_mutexattr_setpshared(int *attr, int shared) {
    if (!raddle_is_truth(shared))
        return RADDLE_EINVAL;
    *attr = (*attr & ~4) | (shared ? 4 : 0);
    return 0;
}

int pthread_mutexattr_getpshared(const int *attr, int *shared) { *shared = *attr >> 2 & 1; return 0; }

int pthread_mutexattr_setrobust(int *attr, int robust) {
    if (robust)
        return RADDLE_ENOTSUP;
    *attr &= ~8;
    return 0;
}

int pthread_mutexattr_getrobust(const int *attr, int *robust) { *robust = *attr >> 3 & 1; return 0; }

int pthread_mutexattr_setprotocol(int *attr, int protocol) {
    if (protocol < 0 || protocol > 2)
        return RADDLE_EINVAL;
    *attr = (*attr & ~48) | (protocol & 3) << 4;
    return 0;
}

int pthread_mutexattr_getprotocol(const int *attr, int *protocol) { *protocol = *attr >> 4 & 3; return 0; }

int pthread_mutex_init(void *mutex, const int *attr) {
    __raddle_mutex_init(mutex, attr ? *attr & 3 : 0);
    return 0;
}

int pthread_mutex_destroy(void *mutex) { return __raddle_mutex_destroy(mutex); }
int pthread_mutex_lock(void *mutex) { return __raddle_mutex_lock(mutex); }
int pthread_mutex_trylock(void *mutex) { return __raddle_mutex_trylock(mutex); }

// The deadline is looked at only by a thread that has to wait.
int pthread_mutex_timedlock(void *mutex, const void *until) {
    int taken = __raddle_mutex_trylock(mutex);
    if (taken != RADDLE_EBUSY)
        return taken;
    if (raddle_is_malformed(until))
        return RADDLE_EINVAL;
    return __raddle_mutex_timedlock(mutex);
}

int pthread_mutex_clocklock(void *mutex, int clock, const void *until) {
    return raddle_is_wait_clock(clock) ? pthread_mutex_timedlock(mutex, until) : RADDLE_EINVAL;
}

int pthread_mutex_unlock(void *mutex) { return __raddle_mutex_unlock(mutex); }
int pthread_mutex_consistent(void *mutex) { (void)mutex; return RADDLE_EINVAL; }

// Condition variables: release and sleep in one step; wake up; take the mutex again.

int pthread_condattr_init(int *attr) { *attr = 0; return 0; }
int pthread_condattr_destroy(int *attr) { (void)attr; return 0; }

int pthread_condattr_setclock(int *attr, int clock) {
    if (!raddle_is_wait_clock(clock))
        return RADDLE_EINVAL;
    *attr = (*attr & 1) | clock << 1;
    return 0;
}

int pthread_condattr_getclock(const int *attr, int *clock) { *clock = *attr >> 1; return 0; }

int pthread_condattr_setpshared(int *attr, int shared) {
    if (!raddle_is_truth(shared))
        return RADDLE_EINVAL;
    *attr = (*attr & ~1) | shared;
    return 0;
}

int pthread_condattr_getpshared(const int *attr, int *shared) { *shared = *attr & 1; return 0; }

int pthread_cond_init(void *cond, const void *attr) {
    (void)attr;
    __raddle_cond_init(cond);
    return 0;
}

int pthread_cond_destroy(void *cond) { return __raddle_cond_destroy(cond); }

// The same where threads are cancelled. The mutex is held when a thread acts on it, and a wake-up that it took is passed on. One
// that was woken may also go on, and act at its next cancellation point.
static int raddle_sleep_cancellable(void *cond, void *mutex, int timed) {
    int refused = 0;
    __raddle_fuse_begin();
    int cancelled = raddle_is_cancelled();
    if (!cancelled)
        refused = __raddle_mutex_unlock(mutex);
    if (!cancelled && !refused) {
        __raddle_cond_enqueue(cond);
        __atomic_store_n(&raddle_sleeps_on[raddle_place], cond, RADDLE_SEQ_CST);
        __atomic_store_n(&raddle_waits[raddle_place], -raddle_cancel_state, RADDLE_SEQ_CST);
    }
    __raddle_fuse_end();
    if (cancelled)
        raddle_act();
    if (refused)
        return refused;
    int woken = __raddle_cond_block(cond, timed);
    __atomic_store_n(&raddle_sleeps_on[raddle_place], (void *)0, RADDLE_SEQ_CST);
    int locked = __raddle_mutex_lock(mutex);
    if (raddle_is_cancelled() && __raddle_nondet_bool()) {
        __raddle_cond_signal(cond);
        raddle_act();
    }
    return locked ? locked : woken;
}

static int raddle_sleep(void *cond, void *mutex, int timed) {
    if (__raddle_uses("pthread_cancel"))
        return raddle_sleep_cancellable(cond, mutex, timed);
    __raddle_fuse_begin();
    int refused = __raddle_mutex_unlock(mutex);
    if (!refused)
        __raddle_cond_enqueue(cond);
    __raddle_fuse_end();
    if (refused)
        return refused;
    int woken = __raddle_cond_block(cond, timed);
    int locked = __raddle_mutex_lock(mutex);
    return locked ? locked : woken;
}

int pthread_cond_wait(void *cond, void *mutex) { return raddle_sleep(cond, mutex, 0); }

int pthread_cond_timedwait(void *cond, void *mutex, const void *until) {
    if (raddle_is_malformed(until))
        return RADDLE_EINVAL;
    return raddle_sleep(cond, mutex, 1);
}

int pthread_cond_clockwait(void *cond, void *mutex, int clock, const void *until) {
    if (raddle_is_malformed(until) || !raddle_is_wait_clock(clock))
        return RADDLE_EINVAL;
    return raddle_sleep(cond, mutex, 1);
}

int pthread_cond_signal(void *cond) {
    __raddle_cond_signal(cond);
    return 0;
}

int pthread_cond_broadcast(void *cond) {
    __raddle_cond_broadcast(cond);
    return 0;
}

// Reader–writer locks

int pthread_rwlockattr_init(int *attr) { attr[0] = 0; attr[1] = 0; return 0; }
int pthread_rwlockattr_destroy(int *attr) { (void)attr; return 0; }

int pthread_rwlockattr_setkind_np(int *attr, int kind) {
    if (kind < 0 || kind > 2)
        return RADDLE_EINVAL;
    attr[0] = kind;
    return 0;
}

int pthread_rwlockattr_getkind_np(const int *attr, int *kind) { *kind = attr[0]; return 0; }

int pthread_rwlockattr_setpshared(int *attr, int shared) {
    if (!raddle_is_truth(shared))
        return RADDLE_EINVAL;
    attr[1] = shared;
    return 0;
}

int pthread_rwlockattr_getpshared(const int *attr, int *shared) { *shared = attr[1]; return 0; }

int pthread_rwlock_init(void *lock, const void *attr) {
    (void)attr;
    __raddle_rw_init(lock);
    return 0;
}

int pthread_rwlock_destroy(void *lock) { return __raddle_rw_destroy(lock); }
int pthread_rwlock_rdlock(void *lock) { return __raddle_rw_rdlock(lock); }
int pthread_rwlock_tryrdlock(void *lock) { return __raddle_rw_tryrdlock(lock); }
int pthread_rwlock_wrlock(void *lock) { return __raddle_rw_wrlock(lock); }
int pthread_rwlock_trywrlock(void *lock) { return __raddle_rw_trywrlock(lock); }
int pthread_rwlock_unlock(void *lock) { return __raddle_rw_unlock(lock); }

// Without a deadline (a null pointer) these wait as long as it takes.
int pthread_rwlock_clockrdlock(void *lock, int clock, const void *until) {
    if (!until)
        return __raddle_rw_rdlock(lock);
    if (!raddle_is_wait_clock(clock) || raddle_is_malformed(until))
        return RADDLE_EINVAL;
    return __raddle_rw_timedrdlock(lock);
}

int pthread_rwlock_clockwrlock(void *lock, int clock, const void *until) {
    if (!until)
        return __raddle_rw_wrlock(lock);
    if (!raddle_is_wait_clock(clock) || raddle_is_malformed(until))
        return RADDLE_EINVAL;
    return __raddle_rw_timedwrlock(lock);
}

int pthread_rwlock_timedrdlock(void *lock, const void *until) { return pthread_rwlock_clockrdlock(lock, 0, until); }
int pthread_rwlock_timedwrlock(void *lock, const void *until) { return pthread_rwlock_clockwrlock(lock, 0, until); }

// Spin locks

int pthread_spin_init(void *lock, int shared) {
    (void)shared;
    __raddle_spin_init(lock);
    return 0;
}

int pthread_spin_destroy(void *lock) { return __raddle_spin_destroy(lock); }
int pthread_spin_lock(void *lock) { return __raddle_spin_lock(lock); }
int pthread_spin_trylock(void *lock) { return __raddle_spin_trylock(lock); }
int pthread_spin_unlock(void *lock) { return __raddle_spin_unlock(lock); }

// Barriers. `round` changes when the last thread has come: that is what the others wait for, so a
// fast thread that is already in the next round cannot be taken for one of the last. `inside` lets
// destroy wait for threads that were released but have not yet returned.

struct raddle_barrier {
    unsigned needed;
    unsigned arrived;
    int round;
    int inside;
};

int pthread_barrierattr_init(int *attr) { *attr = 0; return 0; }
int pthread_barrierattr_destroy(int *attr) { (void)attr; return 0; }

int pthread_barrierattr_setpshared(int *attr, int shared) {
    if (!raddle_is_truth(shared))
        return RADDLE_EINVAL;
    *attr = shared;
    return 0;
}

int pthread_barrierattr_getpshared(const int *attr, int *shared) { *shared = *attr; return 0; }

int pthread_barrier_init(void *barrier, const void *attr, unsigned count) {
    struct raddle_barrier *b = barrier;
    (void)attr;
    if (count == 0 || count > 2147483647u)
        return RADDLE_EINVAL;
    b->needed = count;
    b->arrived = 0;
    b->round = 0;
    b->inside = 0;
    return 0;
}

int pthread_barrier_wait(void *barrier) {
    struct raddle_barrier *b = barrier;
    int destroyed_later = __raddle_uses("pthread_barrier_destroy");
    __raddle_fuse_begin();
    unsigned needed = __atomic_load_n(&b->needed, RADDLE_SEQ_CST);
    int round = __atomic_load_n(&b->round, RADDLE_SEQ_CST);
    int last = __atomic_add_fetch(&b->arrived, 1, RADDLE_SEQ_CST) == needed;
    if (last) {
        __atomic_store_n(&b->arrived, 0, RADDLE_SEQ_CST);
        __atomic_store_n(&b->round, (int)((unsigned)round + 1u), RADDLE_SEQ_CST);
    } else if (destroyed_later) {
        __atomic_fetch_add(&b->inside, 1, RADDLE_SEQ_CST);
    }
    __raddle_fuse_end();
    if (needed == 0)
        __raddle_violation("valid-sync", "barrier used before it is initialised, or after it was destroyed");
    if (last)
        return -1;
    __raddle_await_ne(&b->round, round);
    if (destroyed_later)
        __atomic_fetch_sub(&b->inside, 1, RADDLE_SEQ_CST);
    return 0;
}

int pthread_barrier_destroy(void *barrier) {
    struct raddle_barrier *b = barrier;
    if (__atomic_load_n(&b->needed, RADDLE_SEQ_CST) == 0)
        __raddle_violation("valid-sync", "barrier destroyed that was never initialised, or destroyed before");
    if (__atomic_load_n(&b->arrived, RADDLE_SEQ_CST) != 0) {
        __raddle_violation("valid-sync", "barrier destroyed while threads wait at it");
        return 16;
    }
    __raddle_await_eq(&b->inside, 0);
    b->needed = 0;
    return 0;
}

// Once: 0 fresh, 1 running, 2 done.

int pthread_once(int *once, void (*initialise)(void)) {
    int fresh = 0;
    if (__atomic_compare_exchange_n(once, &fresh, 1, 0, RADDLE_SEQ_CST, RADDLE_SEQ_CST)) {
        if (__raddle_uses("pthread_exit") || __raddle_uses("pthread_cancel"))
            raddle_onces++;
        initialise();
        if (__raddle_uses("pthread_exit") || __raddle_uses("pthread_cancel"))
            raddle_onces--;
        __atomic_store_n(once, 2, RADDLE_SEQ_CST);
    } else {
        __raddle_await_eq(once, 2);
    }
    return 0;
}

int pthread_getcpuclockid(unsigned long thread, int *clock) { (void)thread; *clock = 2; return 0; }
