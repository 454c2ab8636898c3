// sched.h: priorities and affinity have no effect, since every schedule is possible anyway.

typedef __SIZE_TYPE__ size_t;

void __raddle_yield(void);
unsigned __raddle_nondet_uint(void);

int sched_yield(void) {
    __raddle_yield();
    return 0;
}

int sched_get_priority_max(int policy) { return policy ? 99 : 0; }
int sched_get_priority_min(int policy) { return policy ? 1 : 0; }
int sched_setscheduler(int process, int policy, const void *parameter) { (void)process; (void)policy; (void)parameter; return 0; }
int sched_setaffinity(int process, size_t size, const void *set) { (void)process; (void)size; (void)set; return 0; }
int sched_getcpu(void) { return (int)(__raddle_nondet_uint() & 1023); }
