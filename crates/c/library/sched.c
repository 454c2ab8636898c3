// sched.h: priorities and affinity have no effect, since every schedule is possible anyway.

typedef __SIZE_TYPE__ size_t;

void __raddle_yield(void);
unsigned __raddle_nondet_uint(void);
unsigned long __raddle_nondet_ulong(void);
int *__errno_location(void);

int sched_yield(void) {
    __raddle_yield();
    return 0;
}

int sched_get_priority_max(int policy) { return policy ? 99 : 0; }
int sched_get_priority_min(int policy) { return policy ? 1 : 0; }
int sched_setscheduler(int process, int policy, const void *parameter) { (void)process; (void)policy; (void)parameter; return 0; }
int sched_setaffinity(int process, size_t size, const void *set) { (void)process; (void)size; (void)set; return 0; }
int sched_getcpu(void) { return (int)(__raddle_nondet_uint() & 1023); }

static int raddle_failure(void) {
    *__errno_location() = (int)(__raddle_nondet_uint() & 127) + 1;
    return -1;
}

// The processors of a thread: at least one. A set must have whole words.
int sched_getaffinity(int process, size_t size, unsigned long *set) {
    (void)process;
    if (!size || size % sizeof(long) || !__raddle_nondet_uint())
        return raddle_failure();
    for (size_t i = 0; i < size / sizeof(long); i++)
        set[i] = i == 0 ? __raddle_nondet_ulong() | 1 : 0;
    return 0;
}

// SCHED_OTHER, SCHED_FIFO or SCHED_RR, with a priority that fits.
static int raddle_policy(int *priority) {
    int policy = (int)(__raddle_nondet_uint() % 3);
    *priority = policy ? (int)(__raddle_nondet_uint() % 99) + 1 : 0;
    return policy;
}

int sched_getscheduler(int process) {
    int priority;
    (void)process;
    return __raddle_nondet_uint() ? raddle_policy(&priority) : raddle_failure();
}

int sched_getparam(int process, int *priority) {
    (void)process;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    raddle_policy(priority);
    return 0;
}

int sched_setparam(int process, const int *priority) { (void)process; (void)priority; return __raddle_nondet_uint() ? 0 : raddle_failure(); }

int pthread_getschedparam(unsigned long thread, int *policy, int *priority) {
    (void)thread;
    *policy = raddle_policy(priority);
    return 0;
}

int pthread_getaffinity_np(unsigned long thread, size_t size, unsigned long *set) {
    (void)thread;
    if (!size || size % sizeof(long))
        return 22;
    return sched_getaffinity(0, size, set) ? *__errno_location() : 0;
}

int sched_rr_get_interval(int process, long interval[2]) {
    (void)process;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    interval[0] = (long)(__raddle_nondet_uint() & 0xffff);
    interval[1] = (long)(__raddle_nondet_uint() % 1000000000);
    return 0;
}
