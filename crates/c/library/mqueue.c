// mqueue.h: messages come from outside. Nothing that is sent comes back in.

typedef __SIZE_TYPE__ size_t;

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);
int *__errno_location(void);

enum { RADDLE_EMSGSIZE = 90, RADDLE_PRIORITIES = 32768 };

static int raddle_failure(void) {
    *__errno_location() = (int)(__raddle_nondet_uint() & 127) + 1;
    return -1;
}

static int raddle_outcome(void) { return __raddle_nondet_uint() ? 0 : raddle_failure(); }

int mq_open(const char *name, int flags, ...) {
    (void)name; (void)flags;
    unsigned any = __raddle_nondet_uint();
    return any % 1024 < 3 ? raddle_failure() : (int)(any % 1024);
}

int mq_close(int queue) { (void)queue; return raddle_outcome(); }
int mq_unlink(const char *name) { (void)name; return raddle_outcome(); }

long mq_receive(int queue, char *to, size_t room, unsigned *priority) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)queue;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    size_t n = __raddle_nondet_uint();
    if (n > room) {
        *__errno_location() = RADDLE_EMSGSIZE;
        return -1;
    }
    for (size_t i = 0; i < n; i++)
        to[i] = (char)__raddle_nondet_uchar();
    if (priority)
        *priority = __raddle_nondet_uint() % RADDLE_PRIORITIES;
    return (long)n;
}

long mq_timedreceive(int queue, char *to, size_t room, unsigned *priority, const void *until) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)until;
    return mq_receive(queue, to, room, priority);
}

int mq_send(int queue, const char *from, size_t n, unsigned priority) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)queue;
    for (size_t i = 0; i < n; i++) {
        char byte = from[i];
        (void)byte;
    }
    return priority >= RADDLE_PRIORITIES ? raddle_failure() : raddle_outcome();
}

int mq_timedsend(int queue, const char *from, size_t n, unsigned priority, const void *until) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)until;
    return mq_send(queue, from, n, priority);
}

struct raddle_queue {
    long flags, most, size, now, reserved[4];
};

int mq_getattr(int queue, struct raddle_queue *to) {
    (void)queue;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    to->flags = __raddle_nondet_uint() & 04000;
    to->most = (long)(__raddle_nondet_uint() & 0xffff) + 1;
    to->size = (long)(__raddle_nondet_uint() & 0xffffff) + 1;
    to->now = (long)(__raddle_nondet_uint() & 0xffff);
    return 0;
}
