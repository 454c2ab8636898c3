// time.h and sys/time.h: clocks show any time; sleeping takes none, and others may run meanwhile.

typedef long time_t;

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

struct timeval {
    time_t tv_sec;
    long tv_usec;
};

unsigned __raddle_nondet_uint(void);
void __raddle_yield(void);

time_t time(time_t *result) {
    time_t now = (time_t)(__raddle_nondet_uint() >> 1);
    if (result)
        *result = now;
    return now;
}

long clock(void) { return (long)(__raddle_nondet_uint() >> 1); }
double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

int clock_gettime(int clock, struct timespec *now) {
    (void)clock;
    now->tv_sec = (time_t)(__raddle_nondet_uint() >> 1);
    now->tv_nsec = (long)(__raddle_nondet_uint() % 1000000000u);
    return 0;
}

int clock_getres(int clock, struct timespec *resolution) {
    (void)clock;
    if (resolution) {
        resolution->tv_sec = 0;
        resolution->tv_nsec = 1;
    }
    return 0;
}

int timespec_get(struct timespec *now, int base) {
    clock_gettime(0, now);
    return base;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    now->tv_sec = (time_t)(__raddle_nondet_uint() >> 1);
    now->tv_usec = (long)(__raddle_nondet_uint() % 1000000u);
    return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
    (void)duration;
    (void)remaining;
    __raddle_yield();
    return 0;
}

int clock_nanosleep(int clock, int flags, const struct timespec *duration, struct timespec *remaining) {
    (void)clock;
    (void)flags;
    return nanosleep(duration, remaining);
}
