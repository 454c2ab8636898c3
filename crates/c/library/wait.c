// sys/wait.h: children end whenever and however they like. Nothing is written unless a child is named.

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
_Bool __raddle_nondet_bool(void);
unsigned __raddle_nondet_uint(void);
int *__errno_location(void);

enum { RADDLE_NOHANG = 1, RADDLE_UNTRACED = 2, RADDLE_CONTINUED = 8 };

static int raddle_failure(void) {
    *__errno_location() = (int)(__raddle_nondet_uint() & 127) + 1;
    return -1;
}

// How a child changed: it exited, was killed, or was stopped or continued if that is asked for.
static int raddle_status(int options) {
    unsigned any = __raddle_nondet_uint(), signal = (any >> 8) % 64 + 1;
    switch (any & 3) {
    case 0: return (int)(any & 0xff00);
    case 1: return (int)(signal | (any >> 16 & 0x80));
    case 2: return options & RADDLE_UNTRACED ? (int)(signal << 8 | 0x7f) : (int)(any & 0xff00);
    default: return options & RADDLE_CONTINUED ? 0xffff : (int)(any & 0xff00);
    }
}

int waitpid(int process, int *status, int options) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (!__raddle_nondet_uint())
        return raddle_failure();
    if (options & RADDLE_NOHANG && __raddle_nondet_bool())
        return 0;
    int how = raddle_status(options);
    if (status)
        *status = how;
    return process > 0 ? process : (int)(__raddle_nondet_uint() & 0x3fffff) + 1;
}

int wait(int *status) { return waitpid(-1, status, 0); }

struct raddle_usage {
    long parts[18];
};

int wait4(int process, int *status, int options, struct raddle_usage *used) {
    int child = waitpid(process, status, options);
    if (child > 0 && used)
        for (int i = 0; i < 18; i++)
            used->parts[i] = i < 4 && i % 2 ? (long)(__raddle_nondet_uint() % 1000000) : (long)(__raddle_nondet_uint() >> 1);
    return child;
}

int wait3(int *status, int options, struct raddle_usage *used) { return wait4(-1, status, options, used); }
