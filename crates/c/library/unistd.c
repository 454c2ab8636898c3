// unistd.h: sleeping takes no time; what comes from outside is any value.

typedef __SIZE_TYPE__ size_t;

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
void __raddle_yield(void);
void __raddle_putchar(int stream, int c);
_Noreturn void __raddle_exit(int status);
unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);
int *__errno_location(void);
_Noreturn void __raddle_unsupported(const char *what);
int raddle_is_channel(int file);
long raddle_channel_read(int file, void *to, size_t n, int once);
long raddle_channel_write(int file, const void *from, size_t n, int quiet);
int raddle_channel_close(int file);

enum { RADDLE_SEQ_CST = 5 };

unsigned sleep(unsigned seconds) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)seconds;
    __raddle_yield();
    return 0;
}

int usleep(unsigned microseconds) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)microseconds;
    __raddle_yield();
    return 0;
}

unsigned alarm(unsigned seconds) { (void)seconds; return 0; }
_Noreturn void _exit(int status) { __raddle_exit(status); }

// No number of a descriptor.
static int raddle_bad(void) {
    *__errno_location() = 9; // EBADF
    return -1;
}

// A failure: any error.
static int raddle_failure(void) {
    *__errno_location() = (int)(__raddle_nondet_uint() & 127) + 1;
    return -1;
}

// Zero, or a failure.
static int raddle_outcome(void) { return __raddle_nondet_uint() ? 0 : raddle_failure(); }

long write(int file, const void *from, size_t n) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (file < 0)
        return raddle_bad();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file))
        return raddle_channel_write(file, from, n, 0);
    const unsigned char *bytes = from;
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = bytes[i];
        if (file == 1 || file == 2)
            __raddle_putchar(file, byte);
    }
    unsigned some = __raddle_nondet_uint();
    if (!some)
        return raddle_failure();
    return (long)(some > n ? n : some);
}

long read(int file, void *to, size_t n) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (file < 0)
        return raddle_bad();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file))
        return raddle_channel_read(file, to, n, 0);
    unsigned char *bytes = to;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    size_t some = __raddle_nondet_uint();
    if (some > n)
        some = n;
    for (size_t i = 0; i < some; i++)
        bytes[i] = __raddle_nondet_uchar();
    return (long)some;
}

int close(int file) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (file < 0)
        return raddle_bad();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file))
        return raddle_channel_close(file);
    // Pipes made later would take its number.
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        if (file < 3)
            __raddle_unsupported("closing a standard descriptor beside pipes and their like");
    return raddle_outcome();
}

int isatty(int file) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file)) {
        *__errno_location() = 25; // ENOTTY
        return 0;
    }
    return __raddle_nondet_uint() & 1;
}

// Who we are: any numbers, chosen when somebody asks for the first time.
extern _Thread_local int raddle_number;
static unsigned raddle_process, raddle_user, raddle_effective_user;

static unsigned raddle_chosen(unsigned *once, unsigned any) {
    unsigned none = 0;
    return __atomic_compare_exchange_n(once, &none, any, 0, RADDLE_SEQ_CST, RADDLE_SEQ_CST) ? any : none;
}

int getpid(void) { return (int)raddle_chosen(&raddle_process, (__raddle_nondet_uint() & 0x1fffff) + 1); }
int getppid(void) { return (int)(__raddle_nondet_uint() & 0x3fffff); }
int gettid(void) { return getpid() + raddle_number; }
unsigned getuid(void) { return raddle_chosen(&raddle_user, (__raddle_nondet_uint() & 0x3fffffff) + 1) - 1; }
unsigned geteuid(void) { return raddle_chosen(&raddle_effective_user, (__raddle_nondet_uint() & 0x3fffffff) + 1) - 1; }
int getpagesize(void) { return 4096; }

long sysconf(int name) {
    switch (name) {
    case 30: return 4096; // _SC_PAGESIZE
    case 83: // _SC_NPROCESSORS_CONF
    case 84: return (long)(__raddle_nondet_uint() & 1023) + 1; // _SC_NPROCESSORS_ONLN
    default: return (long)(__raddle_nondet_uint() >> 1) - 1;
    }
}
