// semaphore.h. Failures go through errno, as POSIX has it.

void __raddle_sem_init(void *s, int value);
int __raddle_sem_destroy(void *s);
int __raddle_sem_wait(void *s);
int __raddle_sem_trywait(void *s);
int __raddle_sem_timedwait(void *s);
int __raddle_sem_post(void *s);
int __raddle_sem_getvalue(void *s);
int *__errno_location(void);
int __raddle_uses(const char *name);
void __raddle_violation(const char *property, const char *message);
void raddle_cancellation_point(void);
void raddle_begin_to_wait(void);
void raddle_end_waiting(void);

static int raddle_answer(int error) {
    if (!error)
        return 0;
    *__errno_location() = error;
    return -1;
}

int sem_init(void *sem, int shared, unsigned value) {
    (void)shared;
    if (value > 2147483647u)
        return raddle_answer(22);
    __raddle_sem_init(sem, (int)value);
    ((int *)sem)[sizeof(long) - 1] = 0; // the last word of a sem_t
    return 0;
}

int sem_destroy(void *sem) {
    int error = __raddle_sem_destroy(sem);
    if (__raddle_uses("sem_open"))
        if (((int *)sem)[sizeof(long) - 1])
            __raddle_violation("valid-sync", "sem_destroy of a named semaphore");
    return raddle_answer(error);
}

int sem_wait(void *sem) {
    if (__raddle_uses("pthread_cancel"))
        raddle_begin_to_wait();
    int error = __raddle_sem_wait(sem);
    if (__raddle_uses("pthread_cancel"))
        raddle_end_waiting();
    return raddle_answer(error);
}

int sem_trywait(void *sem) { return raddle_answer(__raddle_sem_trywait(sem)); }
int sem_post(void *sem) { return raddle_answer(__raddle_sem_post(sem)); }

int sem_clockwait(void *sem, int clock, const void *until) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (clock != 0 && clock != 1)
        return raddle_answer(22);
    long nanoseconds = ((const long *)until)[1];
    if (nanoseconds < 0 || nanoseconds >= 1000000000)
        return raddle_answer(22);
    return raddle_answer(__raddle_sem_timedwait(sem));
}

int sem_timedwait(void *sem, const void *until) { return sem_clockwait(sem, 0, until); }

int sem_getvalue(void *sem, int *value) {
    *value = __raddle_sem_getvalue(sem);
    return 0;
}

// Named semaphores: one for each name, which does not exist before the program creates it. Opening may fail.
// All who open it share one object. The last close takes that away, which is modelled by a destruction: every use violates
// `valid-sync` until it is opened again. The value stays.

typedef __SIZE_TYPE__ size_t;

void *__raddle_malloc(unsigned long size);
void __raddle_free(void *p);
unsigned __raddle_nondet_uint(void);
int __raddle_mutex_lock(void *m);
int __raddle_mutex_unlock(void *m);
int strcmp(const char *a, const char *b);
size_t strlen(const char *s);
char *strdup(const char *s);

struct raddle_named {
    struct raddle_named *next;
    long semaphore[4]; // as large as a sem_t; not at the beginning, because it cannot be given to `free`
    char *name; // null once it was unlinked
    unsigned opened;
    int value; // while it is not open
};

enum { RADDLE_O_CREAT = 64, RADDLE_O_EXCL = 128, RADDLE_ENOENT = 2, RADDLE_EEXIST = 17, RADDLE_EINVAL = 22, RADDLE_EMFILE = 24 };

static struct raddle_named *raddle_names;
static long raddle_names_lock[6];

static struct raddle_named *raddle_find_name(const char *name) {
    for (struct raddle_named *one = raddle_names; one; one = one->next)
        if (one->name && strcmp(one->name, name) == 0)
            return one;
    return 0;
}

void *sem_open(const char *name, int flags, ...) {
    unsigned value = 0;
    if (flags & RADDLE_O_CREAT) {
        __builtin_va_list arguments;
        __builtin_va_start(arguments, flags);
        __builtin_va_arg(arguments, unsigned);
        value = __builtin_va_arg(arguments, unsigned);
        __builtin_va_end(arguments);
    }
    if (!__raddle_nondet_uint()) {
        raddle_answer(RADDLE_EMFILE);
        return 0;
    }
    int error = 0;
    __raddle_mutex_lock(raddle_names_lock);
    struct raddle_named *one = raddle_find_name(name);
    if (one) {
        if ((flags & RADDLE_O_CREAT) && (flags & RADDLE_O_EXCL))
            error = RADDLE_EEXIST;
    } else if (!(flags & RADDLE_O_CREAT)) {
        error = RADDLE_ENOENT;
    } else if (value > 2147483647u) {
        error = RADDLE_EINVAL;
    } else {
        one = __raddle_malloc(sizeof *one);
        one->name = strdup(name);
        one->opened = 0;
        one->value = (int)value;
        one->next = raddle_names;
        raddle_names = one;
    }
    if (!error && !one->opened++)
        sem_init(one->semaphore, 1, (unsigned)one->value);
    if (!error)
        ((int *)one->semaphore)[sizeof(long) - 1] = 1;
    __raddle_mutex_unlock(raddle_names_lock);
    if (!error)
        return one->semaphore;
    raddle_answer(error);
    return 0;
}

int sem_close(void *sem) {
    int error = RADDLE_EINVAL;
    __raddle_mutex_lock(raddle_names_lock);
    for (struct raddle_named *one = raddle_names; one; one = one->next)
        if ((void *)one->semaphore == sem && one->opened) {
            error = 0;
            if (!--one->opened) {
                one->value = __raddle_sem_getvalue(sem);
                __raddle_sem_destroy(sem);
            }
        }
    __raddle_mutex_unlock(raddle_names_lock);
    return raddle_answer(error);
}

int sem_unlink(const char *name) {
    __raddle_mutex_lock(raddle_names_lock);
    struct raddle_named *one = raddle_find_name(name);
    if (one) {
        __raddle_free(one->name);
        one->name = 0;
    }
    __raddle_mutex_unlock(raddle_names_lock);
    return raddle_answer(one ? 0 : RADDLE_ENOENT);
}
