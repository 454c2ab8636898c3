// Descriptors, and what is connected within the process: pipe, socketpair and eventfd. What goes in at one end comes out at the other, in
// order; a reader waits while nothing is there. Everything else behind a descriptor (files, networks, terminals) is outside of the program and
// is treated where it is used.
//
// A lock orders all that happens to channels. The user's bytes are copied before it is taken and after it was released, so that it protects
// nothing of the user's.
//
// Left out, as executions that end: more than RADDLE_ROOM bytes on their way, message boundaries, duplicates of an end, more than
// RADDLE_CHANNELS at a time. Making a channel never fails otherwise.
//
// Numbers of ends are fixed, so that a search need not try them: the lowest ones, or such that descriptors of other things can be less and
// greater, where the program has any.

typedef __SIZE_TYPE__ size_t;

int __raddle_uses(const char *name);
_Noreturn void __raddle_unsupported(const char *what);
_Noreturn void __raddle_exit(int status);
void __raddle_assume(int condition);
unsigned __raddle_nondet_uint(void);
int __raddle_mutex_lock(void *m);
int __raddle_mutex_unlock(void *m);
void __raddle_await_ne(void *word, int value);
int *__errno_location(void);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);

enum { RADDLE_CHANNELS = 8, RADDLE_ROOM = 1024, RADDLE_RELAXED = 0, RADDLE_SEQ_CST = 5 };
enum { RADDLE_EBADF = 9, RADDLE_EAGAIN = 11, RADDLE_EINVAL = 22, RADDLE_EMFILE = 24, RADDLE_EPIPE = 32, RADDLE_EOPNOTSUPP = 95 };
enum { RADDLE_NONBLOCK = 2048, RADDLE_STREAM = 1, RADDLE_COUNTS_DOWN = 1 };
enum { RADDLE_POLLIN = 1, RADDLE_POLLOUT = 4, RADDLE_POLLERR = 8, RADDLE_POLLHUP = 16, RADDLE_POLLNVAL = 32 };

// The number of the first end.
static int raddle_first(void) {
    return __raddle_uses("open|open64|openat|creat|socket|accept|accept4|dup|epoll_create|epoll_create1|fopen|fileno|shm_open|mq_open|timerfd_create|signalfd|inotify_init|inotify_init1|memfd_create") ? 11 : 3;
}

enum raddle_kind { RADDLE_FREE, RADDLE_PIPE, RADDLE_PAIR, RADDLE_EVENT };

// What goes in one direction.
struct raddle_queue {
    int begin, length;
    int waiting; // readers
    int empty; // 1 while a reader has to wait; others look at it without the lock
    unsigned long words[RADDLE_ROOM / sizeof(long)];
};

struct raddle_channel {
    enum raddle_kind kind;
    int open[2];     // the ends
    int silent[2];   // a socket that was shut down for writing
    int flags[2];    // O_NONBLOCK
    int semaphore;   // eventfd with EFD_SEMAPHORE
    unsigned long long count; // of an eventfd
    struct raddle_queue queue[2]; // the second one goes from end 0 to end 1 of a pair of sockets
};

static struct raddle_channel raddle_channels[RADDLE_CHANNELS];
static long raddle_channels_lock[6];
static int raddle_changes; // how often something happened that poll may wait for
static int raddle_watching; // who waits for such a change

static int raddle_error(int error) {
    *__errno_location() = error;
    return -1;
}

// Whether a number is that of an end, open or closed.
int raddle_is_channel(int file) {
    if (!__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        return 0;
    return file >= raddle_first() && file < raddle_first() + 2 * RADDLE_CHANNELS;
}

// A descriptor of something outside, or a failure.
int raddle_descriptor(void) {
    unsigned any = __raddle_nondet_uint();
    int file = (int)(any % 1024);
    if (file < 3)
        return raddle_error((int)(__raddle_nondet_uint() & 127) + 1);
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        __raddle_assume(!raddle_is_channel(file));
    return file;
}

// For what is not done with the ends of channels.
void raddle_no_channel(int file) {
    if (raddle_is_channel(file))
        __raddle_unsupported("this use of the descriptor of a pipe, a pair of sockets or an event counter");
}

// Something that poll and its like may wait for.
void raddle_changed(void) {
    if (__raddle_uses("poll|select|epoll_wait|epoll_pwait"))
        __atomic_fetch_add(&raddle_changes, 1, RADDLE_SEQ_CST);
}

static struct raddle_channel *raddle_channel(int file) { return &raddle_channels[(file - raddle_first()) / 2]; }
static int raddle_end(int file) { return (file - raddle_first()) % 2; }

// The queue that an end reads or writes; null if it does not. All of these hold the lock.
static struct raddle_queue *raddle_input(struct raddle_channel *c, int end) {
    if (!c->open[end] || (c->kind == RADDLE_PIPE && end == 1))
        return 0;
    return &c->queue[end];
}

static struct raddle_queue *raddle_output(struct raddle_channel *c, int end) {
    if (!c->open[end] || (c->kind == RADDLE_PIPE && end == 0))
        return 0;
    return &c->queue[c->kind == RADDLE_EVENT ? 0 : 1 - end];
}

// Whether more may come to where an end reads.
static int raddle_more_may_come(struct raddle_channel *c, int end) {
    return c->kind == RADDLE_EVENT || (c->open[1 - end] && !c->silent[1 - end]);
}

static void raddle_note(struct raddle_channel *c, int end) {
    int empty = c->open[end] && !c->queue[end].length && raddle_more_may_come(c, end);
    __atomic_store_n(&c->queue[end].empty, empty, RADDLE_SEQ_CST);
}

// Takes a channel; its number, or -1.
static int raddle_new_channel(enum raddle_kind kind, int flags, unsigned count) {
    int at = 0;
    __raddle_mutex_lock(raddle_channels_lock);
    while (at < RADDLE_CHANNELS && raddle_channels[at].kind != RADDLE_FREE)
        at++;
    if (at == RADDLE_CHANNELS)
        __raddle_unsupported("more than 8 pipes, pairs of sockets and event counters at a time");
    struct raddle_channel *c = &raddle_channels[at];
    c->kind = kind;
    c->open[0] = 1;
    c->open[1] = kind != RADDLE_EVENT;
    c->silent[0] = c->silent[1] = 0;
    __atomic_store_n(&c->flags[0], flags & RADDLE_NONBLOCK, RADDLE_SEQ_CST);
    __atomic_store_n(&c->flags[1], flags & RADDLE_NONBLOCK, RADDLE_SEQ_CST);
    c->count = count;
    c->semaphore = flags & RADDLE_COUNTS_DOWN;
    c->queue[0].begin = c->queue[1].begin = c->queue[1].length = 0;
    c->queue[0].length = kind == RADDLE_EVENT && count;
    raddle_note(c, 0);
    raddle_note(c, 1);
    __raddle_mutex_unlock(raddle_channels_lock);
    return raddle_first() + 2 * at;
}

int pipe2(int two[2], int flags) {
    if (flags & ~(RADDLE_NONBLOCK | 02000000)) { // O_CLOEXEC
        if (flags == 040000 || flags == (040000 | RADDLE_NONBLOCK)) // O_DIRECT
            __raddle_unsupported("message boundaries in a pipe");
        return raddle_error(RADDLE_EINVAL);
    }
    two[0] = raddle_new_channel(RADDLE_PIPE, flags & RADDLE_NONBLOCK, 0);
    two[1] = two[0] + 1;
    return 0;
}

int pipe(int two[2]) { return pipe2(two, 0); }

int socketpair(int domain, int type, int protocol, int two[2]) {
    (void)protocol;
    if (domain != 1)
        return raddle_error(RADDLE_EOPNOTSUPP);
    if ((type & 15) != RADDLE_STREAM)
        __raddle_unsupported("message boundaries between sockets");
    two[0] = raddle_new_channel(RADDLE_PAIR, type & RADDLE_NONBLOCK, 0);
    two[1] = two[0] + 1;
    return 0;
}

int eventfd(unsigned value, int flags) {
    if (flags & ~(RADDLE_NONBLOCK | 02000000 | RADDLE_COUNTS_DOWN))
        return raddle_error(RADDLE_EINVAL);
    return raddle_new_channel(RADDLE_EVENT, flags, value);
}

// Holds the lock afterwards; null if a read cannot be, with the error set and the lock released. `once`: does not wait.
static struct raddle_queue *raddle_wait_for_input(int file, int once) {
    struct raddle_channel *c = raddle_channel(file);
    int end = raddle_end(file);
    once = once || __atomic_load_n(&c->flags[end], RADDLE_SEQ_CST);
    __raddle_mutex_lock(raddle_channels_lock);
    struct raddle_queue *q = raddle_input(c, end);
    int error = q ? 0 : RADDLE_EBADF;
    while (!error && !q->length && raddle_more_may_come(c, end)) {
        if (once) {
            error = RADDLE_EAGAIN;
            continue;
        }
        q->waiting++;
        __raddle_mutex_unlock(raddle_channels_lock);
        __raddle_await_ne(&q->empty, 1);
        __raddle_mutex_lock(raddle_channels_lock);
        q->waiting--;
    }
    if (!error)
        return q;
    __raddle_mutex_unlock(raddle_channels_lock);
    raddle_error(error);
    return 0;
}

static long raddle_read_event(int file, void *to, size_t n, int once) {
    struct raddle_channel *c = raddle_channel(file);
    if (n < 8)
        return raddle_error(RADDLE_EINVAL);
    struct raddle_queue *q = raddle_wait_for_input(file, once);
    if (!q)
        return -1;
    unsigned long long value = c->semaphore ? 1 : c->count;
    c->count -= value;
    q->length = c->count != 0;
    raddle_note(c, 0);
    __raddle_mutex_unlock(raddle_channels_lock);
    raddle_changed();
    *(unsigned long long *)to = value;
    return 8;
}

// What kind a descriptor is of. It was made before it is used, and changes only when a closed one is used again.
static enum raddle_kind raddle_kind_of(int file) {
    __raddle_mutex_lock(raddle_channels_lock);
    enum raddle_kind kind = raddle_channel(file)->kind;
    __raddle_mutex_unlock(raddle_channels_lock);
    return kind;
}

// `read` and `recv`; `once`: as if the descriptor were non-blocking.
long raddle_channel_read(int file, void *to, size_t n, int once) {
    unsigned long copy[RADDLE_ROOM / sizeof(long)];
    struct raddle_channel *c = raddle_channel(file);
    int end = raddle_end(file);
    if (__raddle_uses("eventfd") && raddle_kind_of(file) == RADDLE_EVENT)
        return raddle_read_event(file, to, n, once);
    if (!n)
        return 0;
    struct raddle_queue *q = raddle_wait_for_input(file, once);
    if (!q)
        return -1;
    int some = q->length;
    if ((size_t)some > n)
        some = (int)n;
    memcpy(copy, (char *)q->words + q->begin, (size_t)some);
    // What was taken is no longer in the process: a pointer in it keeps nothing alive.
    memset((char *)q->words + q->begin, 0, (size_t)some);
    q->length -= some;
    // An empty queue begins at its beginning again, so that what is of equal size always lies alike.
    q->begin = q->length ? q->begin + some : 0;
    raddle_note(c, end);
    __raddle_mutex_unlock(raddle_channels_lock);
    if (some)
        raddle_changed();
    memcpy(to, copy, (size_t)some);
    return some;
}

static long raddle_write_event(int file, const void *from, size_t n) {
    struct raddle_channel *c = raddle_channel(file);
    if (n < 8)
        return raddle_error(RADDLE_EINVAL);
    unsigned long long value = *(const unsigned long long *)from;
    if (value == ~0ull)
        return raddle_error(RADDLE_EINVAL);
    __raddle_mutex_lock(raddle_channels_lock);
    struct raddle_queue *q = raddle_output(c, 0);
    if (q) {
        if (value >= ~0ull - c->count)
            __raddle_unsupported("an event counter that is full");
        c->count += value;
        q->length = c->count != 0;
        raddle_note(c, 0);
    }
    __raddle_mutex_unlock(raddle_channels_lock);
    raddle_changed();
    return q ? 8 : raddle_error(RADDLE_EBADF);
}

// A write that nobody can read any more: SIGPIPE ends the process unless the program has seen to it.
static long raddle_broken(int quiet) {
    if (!quiet && __raddle_uses("signal|sigaction|sigprocmask|pthread_sigmask"))
        __raddle_unsupported("SIGPIPE in a program that handles signals");
    if (!quiet)
        __raddle_exit(128 + 13);
    return raddle_error(RADDLE_EPIPE);
}

// `write` and `send`; `quiet`: without SIGPIPE.
long raddle_channel_write(int file, const void *from, size_t n, int quiet) {
    unsigned long copy[RADDLE_ROOM / sizeof(long)];
    struct raddle_channel *c = raddle_channel(file);
    int end = raddle_end(file);
    if (__raddle_uses("eventfd") && raddle_kind_of(file) == RADDLE_EVENT)
        return raddle_write_event(file, from, n);
    if (n > RADDLE_ROOM)
        __raddle_unsupported("more than 1024 bytes at a time in a pipe or between sockets");
    memcpy(copy, from, n);
    __raddle_mutex_lock(raddle_channels_lock);
    struct raddle_queue *q = raddle_output(c, end);
    int heard = q && c->open[1 - end] && !c->silent[end];
    if (heard && n) {
        if (q->begin && q->begin + q->length + n > RADDLE_ROOM) {
            memmove(q->words, (char *)q->words + q->begin, (size_t)q->length);
            q->begin = 0;
        }
        if (q->length + n > RADDLE_ROOM)
            __raddle_unsupported("more than 1024 bytes at a time in a pipe or between sockets");
        memcpy((char *)q->words + q->begin + q->length, copy, n);
        q->length += (int)n;
        raddle_note(c, 1 - end);
    }
    __raddle_mutex_unlock(raddle_channels_lock);
    if (!q)
        return raddle_error(RADDLE_EBADF);
    if (!heard && n)
        return raddle_broken(quiet);
    raddle_changed();
    return (long)n;
}

int raddle_channel_close(int file) {
    struct raddle_channel *c = raddle_channel(file);
    int end = raddle_end(file);
    __raddle_mutex_lock(raddle_channels_lock);
    int was = c->open[end];
    // Linux lets those wait on, whatever becomes of the number.
    if (c->queue[end].waiting || __atomic_load_n(&raddle_watching, RADDLE_SEQ_CST))
        __raddle_unsupported("closing a descriptor at which another thread may wait");
    c->open[end] = 0;
    raddle_note(c, 0);
    raddle_note(c, 1);
    if (!c->open[1 - end]) {
        c->kind = RADDLE_FREE;
        for (int i = 0; i < 2; i++)
            if (c->queue[i].length)
                memset((char *)c->queue[i].words + c->queue[i].begin, 0, (size_t)c->queue[i].length);
    }
    __raddle_mutex_unlock(raddle_channels_lock);
    raddle_changed();
    return was ? 0 : raddle_error(RADDLE_EBADF);
}

int raddle_channel_shutdown(int file, int how) {
    struct raddle_channel *c = raddle_channel(file);
    int end = raddle_end(file);
    if (how != 1)
        __raddle_unsupported("a socket that is shut down for reading");
    __raddle_mutex_lock(raddle_channels_lock);
    int was = c->open[end];
    c->silent[end] = 1;
    raddle_note(c, 1 - end);
    __raddle_mutex_unlock(raddle_channels_lock);
    raddle_changed();
    return was ? 0 : raddle_error(RADDLE_EBADF);
}

// The flags of F_GETFL: O_RDONLY, O_WRONLY or O_RDWR besides O_NONBLOCK.
int raddle_channel_flags(int file) {
    int end = raddle_end(file);
    int access = raddle_kind_of(file) == RADDLE_PIPE ? end : 2;
    return access | __atomic_load_n(&raddle_channel(file)->flags[end], RADDLE_SEQ_CST);
}

void raddle_channel_set_flags(int file, int flags) {
    __atomic_store_n(&raddle_channel(file)->flags[raddle_end(file)], flags & RADDLE_NONBLOCK, RADDLE_SEQ_CST);
}

// What poll says of an end.
int raddle_channel_poll(int file) {
    struct raddle_channel *c = raddle_channel(file);
    int end = raddle_end(file), happened = 0;
    __raddle_mutex_lock(raddle_channels_lock);
    struct raddle_queue *in = raddle_input(c, end), *out = raddle_output(c, end);
    if (!in && !out)
        happened = RADDLE_POLLNVAL;
    if (in && in->length)
        happened |= RADDLE_POLLIN;
    if (in && c->kind == RADDLE_PAIR && !raddle_more_may_come(c, end))
        happened |= RADDLE_POLLIN;
    if (in && c->kind != RADDLE_EVENT && !c->open[1 - end])
        happened |= RADDLE_POLLHUP;
    if (out)
        happened |= RADDLE_POLLOUT;
    if (out && c->kind == RADDLE_PIPE && !c->open[1 - end])
        happened |= RADDLE_POLLERR;
    __raddle_mutex_unlock(raddle_channels_lock);
    return happened;
}

// For those that wait until one of several descriptors is ready: what to look at first, and what to wait for.
int raddle_changes_until_now(void) { return __atomic_load_n(&raddle_changes, RADDLE_SEQ_CST); }

void raddle_wait_for_a_change(int since) {
    __atomic_fetch_add(&raddle_watching, 1, RADDLE_SEQ_CST);
    __raddle_await_ne(&raddle_changes, since);
    __atomic_fetch_sub(&raddle_watching, 1, RADDLE_SEQ_CST);
}
