// A second, dumber opinion on the semantics suite: runs a native program under random schedules.
//
// The program under test and the modelled library are compiled by gcc with -fsanitize=thread, which puts a call
// before every memory access; all their symbols get the prefix P_, and this file takes the place of
// ThreadSanitizer's run time and of the intrinsics (docs/library-intrinsics.md). Only one thread runs at a time. Before each
// access it parks, so the pending step of every thread is known: two threads are in a race exactly when
// both park before conflicting accesses, and in a deadlock when no pending step is enabled.
//
// What it cannot see: accesses outside objects that are not on the heap, leaks, overflow, uninitialised
// values. A loop that spins is cut after a number of steps, silently.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 32, DEPTH = 16, STEPS = 600, VIOLATION = 10, CUT = 11 };
enum kind { ACCESS, LOCK, RDLOCK, WRLOCK, SPIN, JOIN, COND, SEM, AWAIT_NE, AWAIT_EQ, PLAIN_STEP };
enum state { UNUSED, NEW, PARKED, RUNNING, STOPPED, DONE };
enum { RECURSIVE = 1, ERRORCHECK = 2, OWNER = 0xfffff, ONE_MORE = 0x100000, EBUSY_ = 16 };

struct thread {
    enum state state;
    enum kind kind;
    char *address;
    size_t size;
    int writes, atomic, in_block, value, timed;
    void *frames[DEPTH];
    void *asleep_on;
    int woken, detached, joined;
    unsigned long handle;
    void *(*function)(void *);
    void *argument, *result;
    pthread_t os;
    pthread_cond_t go;
};

static struct thread thread[THREADS];
static int count = 1, current, steps, fused, block_race;
static pthread_mutex_t token = PTHREAD_MUTEX_INITIALIZER;
static __thread struct thread *me = &thread[0];
static const char *property;
static uint64_t seed;
static unsigned patience;

static unsigned choose(unsigned n) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return n ? (unsigned)(seed >> 20) % n : 0;
}

static int asked(const char *p) { return strcmp(property, p) == 0; }

static void remember(void) {
    void **frame = __builtin_frame_address(0);
    memset(me->frames, 0, sizeof me->frames);
    for (int i = 0; i < DEPTH && frame && frame[1]; i++) {
        me->frames[i] = frame[1];
        if ((void **)frame[0] <= frame)
            break;
        frame = (void **)frame[0];
    }
}

static void show(struct thread *t) {
    printf("thread %d", (int)(t - thread));
    for (int i = 0; i < DEPTH && t->frames[i]; i++)
        printf(" %p", t->frames[i]);
    printf("\n");
}

static void violated(const char *p, const char *what, struct thread *other) {
    if (!asked(p))
        return;
    printf("violation %s: %s\n", p, what);
    show(me);
    if (other)
        show(other);
    fflush(stdout);
    _exit(VIOLATION);
}

// The heap: objects in an arena, with gaps between them.

struct object { char *start; size_t size; int live; };
static struct object object[4096];
static int objects;
static char *arena, *arena_at;

static struct object *find(char *p) {
    struct object *dead = 0;
    for (int i = 0; i < objects; i++)
        if (p >= object[i].start && p < object[i].start + (object[i].size ? object[i].size : 1)) {
            if (object[i].live)
                return &object[i];
            dead = &object[i];
        }
    return dead;
}

static _Noreturn void stop(void);

static void check_access(char *p, size_t size) {
    int bad = (uintptr_t)p < 4096;
    if (p >= arena && p < arena + (1 << 20)) {
        struct object *o = find(p);
        bad = !o || !o->live || p + size > o->start + o->size;
    }
    if (bad) {
        violated("valid-memsafety", "valid-deref", 0);
        stop();
    }
}

// Scheduling

static int enabled(struct thread *t) {
    if (t->state == NEW)
        return 0;
    if (t->state != PARKED)
        return 0;
    unsigned word = t->address && t->kind != JOIN && t->kind != COND && t->kind != ACCESS ? *(unsigned *)t->address : 0;
    unsigned id = (unsigned)(t - thread) + 1;
    switch (t->kind) {
    case LOCK: {
        int kind = ((int *)t->address)[4] & 3;
        return t->timed || !word || ((word & OWNER) == id && (kind == RECURSIVE || kind == ERRORCHECK));
    }
    case SPIN: return !word;
    case RDLOCK: return t->timed || !(word & 0x80000000u);
    case WRLOCK: return t->timed || !word;
    case SEM: return t->timed || (int)word > 0;
    case JOIN: return ((struct thread *)t->address)->state == DONE;
    case COND: return t->woken || t->timed || !asked("no-deadlock");
    case AWAIT_NE: return (int)word != t->value;
    case AWAIT_EQ: return (int)word == t->value;
    default: return 1;
    }
}

static struct thread *waits_for(struct thread *t) {
    if (t->state != PARKED || enabled(t))
        return 0;
    unsigned word = t->kind == LOCK || t->kind == WRLOCK || t->kind == RDLOCK ? *(unsigned *)t->address & 0x800fffffu : 0;
    if (t->kind == JOIN)
        return (struct thread *)t->address;
    if (t->kind == LOCK && word)
        return &thread[word - 1];
    if (word & 0x80000000u)
        return &thread[(word & OWNER) - 1];
    return 0;
}

static void check_deadlock(int any_enabled) {
    for (int i = 0; i < count; i++) {
        struct thread *t = &thread[i];
        for (int n = 0; t && n <= count; n++)
            t = waits_for(t);
        if (t) {
            struct thread *first = t;
            if (asked("no-deadlock")) {
                printf("violation no-deadlock: cycle\n");
                do {
                    show(t);
                    t = waits_for(t);
                } while (t != first);
                fflush(stdout);
                _exit(VIOLATION);
            }
        }
    }
    if (any_enabled)
        return;
    int blocked = 0;
    for (int i = 0; i < count; i++) {
        if (thread[i].state == STOPPED)
            _exit(0);
        blocked += thread[i].state == PARKED;
    }
    if (blocked && asked("no-deadlock")) {
        printf("violation no-deadlock: all blocked\n");
        for (int i = 0; i < count; i++)
            if (thread[i].state == PARKED)
                show(&thread[i]);
        fflush(stdout);
        _exit(VIOLATION);
    }
    _exit(0);
}

static void hand_over(void) {
    int candidates[THREADS], n = 0;
    for (int i = 0; i < count; i++)
        if (enabled(&thread[i]))
            candidates[n++] = i;
    check_deadlock(n);
    if (++steps > STEPS)
        _exit(CUT);
    // Some runs change threads at every step, others rarely, so that long quiet stretches are seen as well.
    int next = candidates[choose((unsigned)n)];
    if (choose(8) < patience)
        for (int i = 0; i < n; i++)
            if (&thread[candidates[i]] == me)
                next = candidates[i];
    current = next;
    pthread_cond_signal(&thread[next].go);
}

static void wait_for_turn(void) {
    while (&thread[current] != me)
        pthread_cond_wait(&me->go, &token);
    me->state = RUNNING;
}

static _Noreturn void stop(void) {
    if (me->in_block)
        _exit(0); // the block was not enabled after all
    me->state = STOPPED;
    hand_over();
    for (;;)
        pthread_cond_wait(&me->go, &token);
}

static int conflict(struct thread *a, struct thread *b) {
    return a->size && b->size && a->address < b->address + b->size && b->address < a->address + a->size &&
           (a->writes || b->writes) && !(a->atomic && b->atomic);
}

static void look_for_race(void) {
    if (!asked("no-data-race") || !me->size)
        return;
    for (int i = 0; i < count; i++)
        if (&thread[i] != me && enabled(&thread[i]) && conflict(me, &thread[i])) {
            if (me->in_block)
                block_race = i + 1;
            else
                violated("no-data-race", "race", &thread[i]);
        }
}

static void step(enum kind kind, void *address, size_t size, int writes, int atomic) {
    me->kind = kind;
    me->address = address;
    me->size = kind == JOIN ? 0 : size;
    me->writes = writes;
    me->atomic = atomic;
    remember();
    if (me->in_block || fused) {
        look_for_race();
        return;
    }
    me->state = PARKED;
    if (enabled(me))
        look_for_race();
    hand_over();
    wait_for_turn();
}

// Accesses

static void access_at(void *p, size_t size, int writes, int atomic) {
    // Most locals of this frame or one nearby are temporaries of the compiler; an escaped one gets its turn often enough.
    char *here = __builtin_frame_address(0);
    if ((char *)p > here && (char *)p < here + 4096 && choose(4))
        return;
    step(ACCESS, p, size, writes, atomic);
    check_access(p, size);
}

#define PLAIN(N)                                                                                     \
    void P___tsan_read##N(void *p) { access_at(p, N, 0, 0); }                                        \
    void P___tsan_write##N(void *p) { access_at(p, N, 1, 0); }                                       \
    void P___tsan_unaligned_read##N(void *p) { access_at(p, N, 0, 0); }                              \
    void P___tsan_unaligned_write##N(void *p) { access_at(p, N, 1, 0); }                             \
    void P___tsan_volatile_read##N(void *p) { access_at(p, N, 0, 0); }                               \
    void P___tsan_volatile_write##N(void *p) { access_at(p, N, 1, 0); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
void P___tsan_read_range(void *p, size_t n) { access_at(p, n, 0, 0); }
void P___tsan_write_range(void *p, size_t n) { access_at(p, n, 1, 0); }
void P___tsan_func_entry(void *p) { (void)p; }
void P___tsan_func_exit(void) {}
void P___tsan_init(void) {}
void P___tsan_atomic_thread_fence(int order) { (void)order; }
void P___tsan_atomic_signal_fence(int order) { (void)order; }

#define RMW(N, T, name, expression)                                                                  \
    T P___tsan_atomic##N##_##name(T *p, T v, int order) {                                            \
        (void)order;                                                                                 \
        access_at(p, sizeof(T), 1, 1);                                                               \
        T old = *p;                                                                                  \
        *p = (T)(expression);                                                                        \
        return old;                                                                                  \
    }
#define ATOMIC(N, T)                                                                                 \
    T P___tsan_atomic##N##_load(T *p, int order) {                                                   \
        (void)order;                                                                                 \
        access_at(p, sizeof(T), 0, 1);                                                               \
        return *p;                                                                                   \
    }                                                                                                \
    void P___tsan_atomic##N##_store(T *p, T v, int order) {                                          \
        (void)order;                                                                                 \
        access_at(p, sizeof(T), 1, 1);                                                               \
        *p = v;                                                                                      \
    }                                                                                                \
    RMW(N, T, exchange, v)                                                                           \
    RMW(N, T, fetch_add, old + v)                                                                    \
    RMW(N, T, fetch_sub, old - v)                                                                    \
    RMW(N, T, fetch_and, old &v)                                                                     \
    RMW(N, T, fetch_or, old | v)                                                                     \
    RMW(N, T, fetch_xor, old ^ v)                                                                    \
    RMW(N, T, fetch_nand, ~(old & v))                                                                \
    static int exchange##N(T *p, T *expected, T desired, int weak) {                                 \
        access_at(p, sizeof(T), 1, 1);                                                               \
        if (*p == *expected && !(weak && choose(2))) {                                               \
            *p = desired;                                                                            \
            return 1;                                                                                \
        }                                                                                            \
        *expected = *p;                                                                              \
        return 0;                                                                                    \
    }                                                                                                \
    int P___tsan_atomic##N##_compare_exchange_strong(T *p, T *e, T d, int s, int f) {                \
        (void)s, (void)f;                                                                            \
        return exchange##N(p, e, d, 0);                                                              \
    }                                                                                                \
    int P___tsan_atomic##N##_compare_exchange_weak(T *p, T *e, T d, int s, int f) {                  \
        (void)s, (void)f;                                                                            \
        return exchange##N(p, e, d, 1);                                                              \
    }                                                                                                \
    T P___tsan_atomic##N##_compare_exchange_val(T *p, T e, T d, int s, int f) {                      \
        (void)s, (void)f;                                                                            \
        exchange##N(p, &e, d, 0);                                                                    \
        return e;                                                                                    \
    }
ATOMIC(8, uint8_t) ATOMIC(16, uint16_t) ATOMIC(32, uint32_t) ATOMIC(64, uint64_t)

// Intrinsics: threads

static void *run(void *t) {
    me = t;
    pthread_mutex_lock(&token);
    wait_for_turn();
    me->result = me->function(me->argument);
    me->state = DONE;
    hand_over();
    pthread_mutex_unlock(&token);
    return 0;
}

static struct thread *by_handle(unsigned long handle) {
    for (int i = count; i-- > 0;)
        if (thread[i].handle == handle)
            return &thread[i];
    return 0;
}

unsigned long P___raddle_thread_new(void *(*function)(void *), void *argument) {
    struct thread *t = &thread[count++];
    t->handle = 1000u + (unsigned long)count;
    for (int i = 1; i < count - 1; i++)
        if (thread[i].joined && by_handle(thread[i].handle) == &thread[i] && choose(2)) {
            t->handle = thread[i].handle;
            break;
        }
    t->function = function;
    t->argument = argument;
    t->state = NEW;
    pthread_cond_init(&t->go, 0);
    return t->handle;
}

void P___raddle_thread_start(unsigned long handle) {
    struct thread *t = by_handle(handle);
    t->kind = PLAIN_STEP;
    t->state = PARKED;
    pthread_create(&t->os, 0, run, t);
    step(PLAIN_STEP, 0, 0, 0, 0);
}

void *P___raddle_thread_join(unsigned long handle) {
    struct thread *t = by_handle(handle);
    if (!t || t->joined || t->detached) {
        remember();
        violated("valid-sync", "join", 0);
        return 0;
    }
    step(JOIN, t, 0, 0, 0);
    t->joined = 1;
    return t->result;
}

int P___raddle_thread_has_ended(unsigned long handle) {
    struct thread *t = by_handle(handle);
    step(PLAIN_STEP, 0, 0, 0, 0);
    return !t || t->state == DONE;
}

int P___raddle_thread_join_code(void) { return 0; }
int P___raddle_thread_detach(unsigned long handle) { return by_handle(handle)->detached = 1, 0; }
unsigned long P___raddle_thread_self(void) { return me->handle; }
void P___raddle_yield(void) {}

_Noreturn void P___raddle_thread_exit(void *result) {
    me->result = result;
    me->state = DONE;
    hand_over();
    for (;;)
        pthread_cond_wait(&me->go, &token);
}

_Noreturn void P___raddle_exit(int status) { (void)status; step(PLAIN_STEP, 0, 0, 0, 0); _exit(0); }
_Noreturn void P___raddle_abort(void) { _exit(0); }
char P_raddle_environment[4][16];
int P___popcountdi2(long x) { return __builtin_popcountl(x); }
_Noreturn void P___raddle_unsupported(const char *what) { (void)what; _exit(0); }

void P___raddle_fuse_begin(void) { step(PLAIN_STEP, 0, 0, 0, 0); fused++; }
void P___raddle_fuse_end(void) { fused--; }

void P___VERIFIER_atomic_begin(void) {
    if (!me->in_block)
        step(PLAIN_STEP, 0, 0, 0, 0);
    me->in_block++;
}

void P___VERIFIER_atomic_end(void) {
    if (--me->in_block == 0 && block_race)
        violated("no-data-race", "race with a block", &thread[block_race - 1]);
}

// Intrinsics: locks. A lock operation counts as an atomic access to the first word.

static unsigned self(void) { return (unsigned)(me - thread) + 1; }

static void valid(unsigned *word) {
    check_access((char *)word, 4);
}

void P___raddle_mutex_init(unsigned *m, int kind) {
    step(ACCESS, m, 20, 1, 0);
    valid(m);
    m[0] = 0;
    m[4] = (unsigned)kind;
}

static int destroy(unsigned *m) {
    step(ACCESS, m, 4, 1, 0);
    valid(m);
    if (*m) {
        violated("valid-sync", "destroyed while held", 0);
        return EBUSY_;
    }
    *m = 0;
    return 0;
}

int P___raddle_mutex_destroy(unsigned *m) { return destroy(m); }

static int lock(unsigned *m, int try, int timed) {
    if ((uintptr_t)m >= 4096 && !(m >= (unsigned *)arena && m < (unsigned *)arena + (1 << 18) && !(find((char *)m) && find((char *)m)->live))) {
        me->timed = timed;
        step(try ? ACCESS : LOCK, m, 4, 1, 1);
    } else {
        step(ACCESS, m, 4, 1, 1);
    }
    valid(m);
    int kind = (int)m[4] & 3;
    if (!*m) {
        *m = self();
        return 0;
    }
    if ((*m & OWNER) == self() && kind == RECURSIVE) {
        *m += ONE_MORE;
        return 0;
    }
    if ((*m & OWNER) == self() && kind == ERRORCHECK && !try)
        return 35;
    return try ? EBUSY_ : 110;
}

int P___raddle_mutex_lock(unsigned *m) { return lock(m, 0, 0); }
int P___raddle_mutex_trylock(unsigned *m) { return lock(m, 1, 0); }
int P___raddle_mutex_timedlock(unsigned *m) { return lock(m, 0, 1); }

int P___raddle_mutex_unlock(unsigned *m) {
    step(ACCESS, m, 4, 1, 1);
    valid(m);
    int kind = (int)m[4] & 3;
    if ((*m & OWNER) != self()) {
        if (kind != ERRORCHECK && kind != RECURSIVE) {
            violated("valid-sync", "unlock", 0);
        }
        return 1;
    }
    *m = *m >= ONE_MORE ? *m - ONE_MORE : 0;
    return 0;
}

void P___raddle_spin_init(unsigned *s) { step(ACCESS, s, 4, 1, 0); *s = 0; }
int P___raddle_spin_destroy(unsigned *s) { return destroy(s); }
int P___raddle_spin_lock(unsigned *s) { step(SPIN, s, 4, 1, 1); *s = self(); return 0; }
int P___raddle_spin_trylock(unsigned *s) { step(ACCESS, s, 4, 1, 1); return *s ? EBUSY_ : (*s = self(), 0); }
int P___raddle_spin_unlock(unsigned *s) { step(ACCESS, s, 4, 1, 1); *s = 0; return 0; }

void P___raddle_rw_init(unsigned *l) { step(ACCESS, l, 4, 1, 0); *l = 0; }
int P___raddle_rw_destroy(unsigned *l) { return destroy(l); }

static int rw(unsigned *l, int write, int try, int timed) {
    me->timed = timed;
    step(try ? ACCESS : write ? WRLOCK : RDLOCK, l, 4, 1, 1);
    if (write ? *l != 0 : *l >> 31)
        return try ? EBUSY_ : 110;
    *l = write ? 0x80000000u | self() : *l + 1;
    return 0;
}

int P___raddle_rw_rdlock(unsigned *l) { return rw(l, 0, 0, 0); }
int P___raddle_rw_tryrdlock(unsigned *l) { return rw(l, 0, 1, 0); }
int P___raddle_rw_timedrdlock(unsigned *l) { return rw(l, 0, 0, 1); }
int P___raddle_rw_wrlock(unsigned *l) { return rw(l, 1, 0, 0); }
int P___raddle_rw_trywrlock(unsigned *l) { return rw(l, 1, 1, 0); }
int P___raddle_rw_timedwrlock(unsigned *l) { return rw(l, 1, 0, 1); }

int P___raddle_rw_unlock(unsigned *l) {
    step(ACCESS, l, 4, 1, 1);
    *l = *l >> 31 ? 0 : *l - 1;
    return 0;
}

void P___raddle_cond_init(void *c) { step(ACCESS, c, 4, 1, 0); }

int P___raddle_cond_destroy(void *c) {
    step(ACCESS, c, 4, 1, 0);
    for (int i = 0; i < count; i++)
        if (thread[i].asleep_on == c && !thread[i].woken)
            violated("valid-sync", "destroyed with sleepers", &thread[i]);
    return 0;
}


void P___raddle_cond_enqueue(void *c) {
    me->asleep_on = c;
    me->woken = 0;
}

int P___raddle_cond_block(void *c, int timed) {
    me->timed = timed;
    step(COND, c, 4, 0, 1);
    me->asleep_on = 0;
    return !me->woken && timed ? 110 : 0;
}

void P___raddle_cond_broadcast(void *c) {
    step(ACCESS, c, 4, 1, 1);
    for (int i = 0; i < count; i++)
        if (thread[i].asleep_on == c)
            thread[i].woken = 1;
}

void P___raddle_cond_signal(void *c) {
    int sleepers[THREADS], n = 0;
    step(ACCESS, c, 4, 1, 1);
    for (int i = 0; i < count; i++)
        if (thread[i].asleep_on == c && !thread[i].woken)
            sleepers[n++] = i;
    if (n)
        thread[sleepers[choose((unsigned)n)]].woken = 1;
}

void P___raddle_sem_init(int *s, int value) { step(ACCESS, s, 4, 1, 0); *s = value; }
int P___raddle_sem_destroy(int *s) { step(ACCESS, s, 4, 1, 0); return 0; }
int P___raddle_sem_wait(int *s) { me->timed = 0; step(SEM, s, 4, 1, 1); --*s; return 0; }
int P___raddle_sem_trywait(int *s) { step(ACCESS, s, 4, 1, 1); return *s > 0 ? --*s, 0 : 11; }
int P___raddle_sem_timedwait(int *s) { me->timed = 1; step(SEM, s, 4, 1, 1); return *s > 0 ? --*s, 0 : 110; }
int P___raddle_sem_post(int *s) { step(ACCESS, s, 4, 1, 1); ++*s; return 0; }
int P___raddle_sem_getvalue(int *s) { step(ACCESS, s, 4, 0, 1); return *s; }
void P___raddle_await_ne(int *word, int value) { me->value = value; step(AWAIT_NE, word, 4, 0, 1); }
void P___raddle_await_eq(int *word, int value) { me->value = value; step(AWAIT_EQ, word, 4, 0, 1); }

// Intrinsics: memory

void *P___raddle_malloc(unsigned long size) {
    for (int i = 0; i < objects; i++)
        if (!object[i].live && object[i].size == size && choose(2)) {
            object[i].live = 1;
            return object[i].start;
        }
    struct object *o = &object[objects++];
    o->start = arena_at;
    o->size = size;
    o->live = 1;
    arena_at += (size + 63) / 32 * 32;
    for (unsigned long i = 0; i < size; i++)
        o->start[i] = (char)choose(4);
    return o->start;
}

void *P___raddle_calloc(unsigned long size) { return memset(P___raddle_malloc(size), 0, size); }
void *P___raddle_aligned_alloc(unsigned long alignment, unsigned long size) { (void)alignment; return P___raddle_malloc(size); }
void *P___raddle_aligned_calloc(unsigned long alignment, unsigned long size) { (void)alignment; return P___raddle_calloc(size); }

void P___raddle_free(char *p) {
    if (!p)
        return;
    struct object *o = find(p);
    step(ACCESS, p, o ? o->size : 1, 1, 0);
    o = find(p);
    if (!o || !o->live || o->start != p) {
        violated("valid-memsafety", "valid-free", 0);
        stop();
    }
    o->live = 0;
}

unsigned long P___raddle_object_size(char *p) { struct object *o = find(p); return o ? o->size : 0; }

// Intrinsics: values and checks

static unsigned long long any(void) {
    static const unsigned long long edge[] = {0, 1, 2, 7, 10, 0x7fffffff, 0x80000000, 0xffffffff};
    return choose(2) ? edge[choose(8)] : (unsigned long long)choose(1u << 31) << 20 ^ choose(1u << 31);
}
#define NONDET(T, N) T P___raddle_nondet_##N(void) { return (T)any(); }
NONDET(_Bool, bool) NONDET(char, char) NONDET(unsigned char, uchar) NONDET(short, short) NONDET(unsigned short, ushort)
NONDET(int, int) NONDET(unsigned, uint) NONDET(long, long) NONDET(unsigned long, ulong) NONDET(long long, llong)
NONDET(unsigned long long, ullong) NONDET(__int128, i128) NONDET(unsigned __int128, u128) NONDET(float, float) NONDET(double, double)
void *P___raddle_nondet_ptr(void) { return (void *)any(); }

void P___raddle_assume(int condition) {
    if (!condition)
        stop();
}

void P___raddle_error(const char *message) { remember(); violated("unreach-call", message, 0); }
void P___raddle_violation(const char *p, const char *message) { remember(); violated(p, message, 0); }
void P___raddle_putchar(int stream, int c) { (void)stream; (void)c; }
int P___raddle_format_float(double v, int conversion, int precision, int flags, int width, int index) {
    (void)v, (void)conversion, (void)precision, (void)flags, (void)width, (void)index;
    return 0;
}

int P_main(int argc, char **argv);
_Noreturn void P_exit(int status);

int main(int argc, char **argv) {
    int runs = argc > 2 ? atoi(argv[2]) : 100, cuts = 0, found = 0;
    property = argv[1];
    setvbuf(stdout, 0, _IOFBF, 1 << 16);
    for (int i = 0; i < runs; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(2);
            seed = 0x9e3779b97f4a7c15ull * (unsigned)(i + 1);
            for (int k = 0; k < 10; k++)
                choose(2);
            patience = choose(4) * 2;
            arena = arena_at = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            thread[0].state = RUNNING;
            thread[0].handle = 1000;
            pthread_cond_init(&thread[0].go, 0);
            pthread_mutex_lock(&token);
            char *arguments[] = {(char *)"program", 0};
            P_exit(P_main(1, arguments));
        }
        int status;
        waitpid(child, &status, 0);
        found += WIFEXITED(status) && WEXITSTATUS(status) == VIOLATION;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
            // A loop without any access: no other thread gets a turn, and other runs would do the same.
            printf("runs for ever without an access\n");
            return 0;
        }
        if (WIFSIGNALED(status))
            printf("signal %d in run %d\n", WTERMSIG(status), i + 1);
        cuts += WIFEXITED(status) && WEXITSTATUS(status) == CUT;
    }
    printf("violated in %d of %d runs, %d cut\n", found, runs, cuts);
    return found ? VIOLATION : 0;
}
