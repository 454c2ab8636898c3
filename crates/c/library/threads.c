// threads.h (C11) on top of pthread.c; the numbers are those of glibc's enumerations.

unsigned long __raddle_thread_self(void);
void *__raddle_malloc(unsigned long size);
void __raddle_free(void *p);
void __raddle_yield(void);
void __raddle_mutex_init(void *m, int kind);
int __raddle_mutex_destroy(void *m);
int __raddle_mutex_lock(void *m);
int __raddle_mutex_trylock(void *m);
int __raddle_mutex_unlock(void *m);
void __raddle_cond_init(void *c);
int __raddle_cond_destroy(void *c);

int pthread_create(unsigned long *thread, const void *attr, void *(*function)(void *), void *argument);
int pthread_join(unsigned long thread, void **result);
int pthread_detach(unsigned long thread);
_Noreturn void pthread_exit(void *result);
int pthread_cond_wait(void *cond, void *mutex);
int pthread_cond_timedwait(void *cond, void *mutex, const void *until);
int pthread_cond_signal(void *cond);
int pthread_cond_broadcast(void *cond);
int pthread_once(int *once, void (*initialise)(void));
int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_key_delete(unsigned key);
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);
int pthread_mutex_timedlock(void *mutex, const void *until);
int clock_nanosleep(int clock, int flags, const void *time, void *remaining);

enum {
    RADDLE_THRD_SUCCESS = 0,
    RADDLE_THRD_BUSY = 1,
    RADDLE_THRD_ERROR = 2,
    RADDLE_THRD_TIMEDOUT = 4,
    RADDLE_EBUSY = 16,
    RADDLE_ETIMEDOUT = 110
};

static int raddle_thrd(int error) {
    return error == 0                  ? RADDLE_THRD_SUCCESS
           : error == RADDLE_EBUSY     ? RADDLE_THRD_BUSY
           : error == RADDLE_ETIMEDOUT ? RADDLE_THRD_TIMEDOUT
                                       : RADDLE_THRD_ERROR;
}

struct raddle_thrd_start {
    int (*function)(void *);
    void *argument;
};

static void *raddle_thrd_started(void *argument) {
    struct raddle_thrd_start *start = argument;
    int (*function)(void *) = start->function;
    void *given = start->argument;
    __raddle_free(start);
    return (void *)(long)function(given);
}

int thrd_create(unsigned long *thread, int (*function)(void *), void *argument) {
    struct raddle_thrd_start *start = __raddle_malloc(sizeof *start);
    start->function = function;
    start->argument = argument;
    return raddle_thrd(pthread_create(thread, 0, raddle_thrd_started, start));
}

int thrd_join(unsigned long thread, int *result) {
    void *returned;
    int error = pthread_join(thread, &returned);
    if (!error && result)
        *result = (int)(long)returned;
    return raddle_thrd(error);
}

int thrd_detach(unsigned long thread) { return raddle_thrd(pthread_detach(thread)); }
unsigned long thrd_current(void) { return __raddle_thread_self(); }
int thrd_equal(unsigned long a, unsigned long b) { return a == b; }
void thrd_yield(void) { __raddle_yield(); }
_Noreturn void thrd_exit(int result) { pthread_exit((void *)(long)result); }
int thrd_sleep(const void *time, void *remaining) { return clock_nanosleep(0, 0, time, remaining) ? -2 : 0; }

int mtx_init(void *mutex, int type) {
    __raddle_mutex_init(mutex, type & 1);
    return RADDLE_THRD_SUCCESS;
}

void mtx_destroy(void *mutex) { __raddle_mutex_destroy(mutex); }
int mtx_lock(void *mutex) { return raddle_thrd(__raddle_mutex_lock(mutex)); }
int mtx_trylock(void *mutex) { return raddle_thrd(__raddle_mutex_trylock(mutex)); }
int mtx_unlock(void *mutex) { return raddle_thrd(__raddle_mutex_unlock(mutex)); }

int mtx_timedlock(void *mutex, const void *until) { return raddle_thrd(pthread_mutex_timedlock(mutex, until)); }

int cnd_init(void *cond) {
    __raddle_cond_init(cond);
    return RADDLE_THRD_SUCCESS;
}

void cnd_destroy(void *cond) { __raddle_cond_destroy(cond); }
int cnd_wait(void *cond, void *mutex) { return raddle_thrd(pthread_cond_wait(cond, mutex)); }
int cnd_timedwait(void *cond, void *mutex, const void *until) { return raddle_thrd(pthread_cond_timedwait(cond, mutex, until)); }
int cnd_signal(void *cond) { return raddle_thrd(pthread_cond_signal(cond)); }
int cnd_broadcast(void *cond) { return raddle_thrd(pthread_cond_broadcast(cond)); }

void call_once(int *once, void (*initialise)(void)) { pthread_once(once, initialise); }
int tss_create(unsigned *key, void (*destructor)(void *)) { return raddle_thrd(pthread_key_create(key, destructor)); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return raddle_thrd(pthread_setspecific(key, value)); }
