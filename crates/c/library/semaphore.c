// semaphore.h: unnamed semaphores. Failures go through errno, as POSIX has it.

void __raddle_sem_init(void *s, int value);
int __raddle_sem_destroy(void *s);
int __raddle_sem_wait(void *s);
int __raddle_sem_trywait(void *s);
int __raddle_sem_timedwait(void *s);
int __raddle_sem_post(void *s);
int __raddle_sem_getvalue(void *s);
int *__errno_location(void);

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

int sem_destroy(void *sem) { return raddle_answer(__raddle_sem_destroy(sem)); }
int sem_wait(void *sem) { return raddle_answer(__raddle_sem_wait(sem)); }
int sem_trywait(void *sem) { return raddle_answer(__raddle_sem_trywait(sem)); }
int sem_post(void *sem) { return raddle_answer(__raddle_sem_post(sem)); }

int sem_clockwait(void *sem, int clock, const void *until) {
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
