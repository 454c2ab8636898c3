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

unsigned long long __raddle_nondet_ullong(void);
void __raddle_yield(void);

enum { RADDLE_SEQ_CST = 5, RADDLE_FRACTION = 0x3fffffff };

// A time is a number: seconds, and thirty bits for what is less than one. Those are more than nanoseconds need, so the last ones are the same.
static time_t raddle_seconds(unsigned long long time) {
    return (time_t)(time >> (sizeof(long) == 8 ? 30 : 32));
}

static long raddle_nanoseconds(unsigned long long time) {
    long fraction = (long)((sizeof(long) == 8 ? time : time >> 2) & RADDLE_FRACTION);
    return fraction > 999999999 ? 999999999 : fraction;
}

// Any time: clocks can be set.
static unsigned long long raddle_any_time(void) { return __raddle_nondet_ullong() >> 1; }

// A time that is not before any that was asked for earlier, by whomever.
static unsigned long long raddle_clock;
static unsigned long long raddle_later(void) {
    return __atomic_add_fetch(&raddle_clock, __raddle_nondet_ullong() >> 10, RADDLE_SEQ_CST);
}

time_t time(time_t *result) {
    time_t now = raddle_seconds(raddle_any_time());
    if (result)
        *result = now;
    return now;
}

long clock(void) { return (long)(raddle_later() >> (sizeof(long) == 8 ? 10 : 32)); }
double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

// CLOCK_REALTIME, its coarse kind and that of its alarms can be set; the others cannot.
int clock_gettime(int clock, struct timespec *now) {
    unsigned long long time = clock == 0 || clock == 5 || clock == 8 || clock == 11 ? raddle_any_time() : raddle_later();
    now->tv_sec = raddle_seconds(time);
    now->tv_nsec = raddle_nanoseconds(time);
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
    unsigned long long time = raddle_any_time();
    long fraction = raddle_nanoseconds(time) >> 10;
    now->tv_sec = raddle_seconds(time);
    now->tv_usec = fraction > 999999 ? 999999 : fraction;
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
