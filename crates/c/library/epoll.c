// sys/epoll.h and sys/eventfd.h. What was registered may happen at any time, and nothing else happens; pipes and their like
// (channel.c) say what happened. A ninth file at the same time is one too many, as if a limit of the system were reached.

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
_Bool __raddle_nondet_bool(void);
unsigned __raddle_nondet_uint(void);
unsigned long long __raddle_nondet_ullong(void);
void __raddle_assume(int condition);
int *__errno_location(void);
int raddle_descriptor(void);
int raddle_is_channel(int file);
int raddle_channel_poll(int file);
int raddle_changes_until_now(void);
void raddle_wait_for_a_change(int since);
void raddle_no_channel(int file);
void raddle_changed(void);
long read(int file, void *to, unsigned long n);
long write(int file, const void *from, unsigned long n);


enum { RADDLE_SEQ_CST = 5, RADDLE_ENOENT = 2, RADDLE_EEXIST = 17, RADDLE_EINVAL = 22, RADDLE_ENOSPC = 28, RADDLE_WATCHED = 8 };

static int raddle_error(int error) {
    *__errno_location() = error;
    return -1;
}

static int raddle_failure(void) { return raddle_error((int)(__raddle_nondet_uint() & 127) + 1); }

int epoll_create(int size) { return size <= 0 ? raddle_error(RADDLE_EINVAL) : raddle_descriptor(); }
int epoll_create1(int flags) { (void)flags; return raddle_descriptor(); }

// On this machine an event has 12 bytes; what belongs to it is a number or a pointer.
struct raddle_event {
    unsigned events;
    union {
        void *pointer;
        unsigned long long number;
    } data;
} __attribute__((packed));

// Who watches which file, and what for; a key of 0 is free. Only touched by atomic operations.
static unsigned long long raddle_watched[RADDLE_WATCHED];
static unsigned raddle_watched_events[RADDLE_WATCHED];
static void *raddle_watched_data[RADDLE_WATCHED];

static unsigned long long raddle_key(int watcher, int file) {
    return (unsigned long long)(unsigned)watcher << 32 | (unsigned)file | 1ull << 63;
}

static int raddle_watched_at(unsigned long long key) {
    for (int i = 0; i < RADDLE_WATCHED; i++)
        if (__atomic_load_n(&raddle_watched[i], RADDLE_SEQ_CST) == key)
            return i;
    return -1;
}

int epoll_ctl(int watcher, int operation, int file, struct raddle_event *event) {
    unsigned long long key = raddle_key(watcher, file);
    unsigned events = 0;
    void *data = 0;
    if (operation == 1 || operation == 3) {
        events = event->events;
        data = event->data.pointer;
    }
    if (watcher < 0 || file < 0 || operation < 1 || operation > 3 || !__raddle_nondet_uint())
        return raddle_failure();
    int at = raddle_watched_at(key);
    if (operation == 1) { // EPOLL_CTL_ADD
        if (at >= 0)
            return raddle_error(RADDLE_EEXIST);
        for (at = 0; at < RADDLE_WATCHED; at++) {
            unsigned long long nobody = 0;
            if (__atomic_compare_exchange_n(&raddle_watched[at], &nobody, 1, 0, RADDLE_SEQ_CST, RADDLE_SEQ_CST))
                break;
        }
        if (at == RADDLE_WATCHED)
            return raddle_error(RADDLE_ENOSPC);
    } else if (at < 0) {
        return raddle_error(RADDLE_ENOENT);
    }
    if (operation == 2) { // EPOLL_CTL_DEL
        __atomic_store_n(&raddle_watched[at], 0, RADDLE_SEQ_CST);
        return 0;
    }
    __atomic_store_n(&raddle_watched_events[at], events, RADDLE_SEQ_CST);
    __atomic_store_n(&raddle_watched_data[at], data, RADDLE_SEQ_CST);
    __atomic_store_n(&raddle_watched[at], key, RADDLE_SEQ_CST);
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_changed();
    return 0;
}

// What happens to a file that is watched now: what is known of a channel, anything else.
static unsigned raddle_happening(int file, unsigned events) {
    // EPOLLERR and EPOLLHUP come without being asked for.
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file))
        return (unsigned)raddle_channel_poll(file) & (events | 0x18);
    return __raddle_nondet_bool() ? __raddle_nondet_uint() & (events | 0x18) & 0xffff : 0;
}

// The number of events of one look. `*outside` is set where something outside of the program is watched.
static int raddle_look(int watcher, struct raddle_event *events, int most, int *outside) {
    int ready = 0;
    for (int i = 0; i < RADDLE_WATCHED && ready < most; i++) {
        unsigned long long key = __atomic_load_n(&raddle_watched[i], RADDLE_SEQ_CST);
        if (key >> 32 != (raddle_key(watcher, 0) >> 32))
            continue;
        int file = (int)(key & 0x7fffffff);
        unsigned wanted = __atomic_load_n(&raddle_watched_events[i], RADDLE_SEQ_CST);
        if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file)) {
            if (wanted & 0xc0000000) // EPOLLET, EPOLLONESHOT
                raddle_no_channel(file);
        } else {
            *outside = 1;
        }
        unsigned happened = raddle_happening(file, wanted);
        if (!happened)
            continue;
        events[ready].events = happened;
        if (sizeof(void *) < 8)
            events[ready].data.number = 0;
        events[ready].data.pointer = __atomic_load_n(&raddle_watched_data[i], RADDLE_SEQ_CST);
        ready++;
    }
    return ready;
}

int epoll_wait(int watcher, struct raddle_event *events, int most, int timeout) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (most <= 0)
        return raddle_error(RADDLE_EINVAL);
    for (;;) {
        int seen = __raddle_uses("pipe|pipe2|socketpair|eventfd") ? raddle_changes_until_now() : 0;
        int outside = 0, ready = raddle_look(watcher, events, most, &outside);
        if ((!__raddle_uses("pipe|pipe2|socketpair|eventfd") || outside) && !__raddle_nondet_uint())
            return raddle_failure();
        // A look with a time limit that finds nothing is one that comes later, or expires.
        if (!__raddle_uses("pipe|pipe2|socketpair|eventfd") || outside || ready || timeout >= 0) {
            __raddle_assume(timeout >= 0 || ready > 0);
            return ready;
        }
        raddle_wait_for_a_change(seen);
    }
}

int epoll_pwait(int watcher, struct raddle_event *events, int most, int timeout, const void *signals) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)signals;
    return epoll_wait(watcher, events, most, timeout);
}

int eventfd_read(int file, unsigned long long *value) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file))
        return read(file, value, 8) == 8 ? 0 : -1;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    unsigned long long any = __raddle_nondet_ullong();
    *value = any ? any : 1;
    return 0;
}

int eventfd_write(int file, unsigned long long value) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file))
        return write(file, &value, 8) == 8 ? 0 : -1;
    return value == ~0ull ? raddle_error(RADDLE_EINVAL) : __raddle_nondet_uint() ? 0 : raddle_failure();
}
