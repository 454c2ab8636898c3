//! On ILP32 the kind of a mutex lies at byte 12: its static recursive initialiser is recognised there.
//! expect: no-deadlock true
//! expect: unreach-call true
//! data-model: ILP32
typedef union {
    struct { int lock; unsigned count; int owner; int kind; unsigned nusers; int spins; } data;
    char size[24];
    long align;
} pthread_mutex_t;
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);

static pthread_mutex_t m = {{0, 0, 0, 1, 0, 0}};

int main(void) {
    if (pthread_mutex_lock(&m) || pthread_mutex_lock(&m) || pthread_mutex_trylock(&m))
        reach_error();
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
