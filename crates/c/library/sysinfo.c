// sys/sysinfo.h, sys/statvfs.h, sys/time.h, sys/prctl.h: what the system says of itself, written only on success. Names from outside have up to
// 15 characters.

typedef __SIZE_TYPE__ size_t;

unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);
unsigned long __raddle_nondet_ulong(void);
void __raddle_assume(int condition);
void *__raddle_malloc(unsigned long size);
int *__errno_location(void);

enum { RADDLE_EINVAL = 22, RADDLE_NAME = 16, RADDLE_PATH = 4096 };

static int raddle_error(int error) {
    *__errno_location() = error;
    return -1;
}

static int raddle_failure(void) { return raddle_error((int)(__raddle_nondet_uint() & 127) + 1); }
static int raddle_outcome(void) { return __raddle_nondet_uint() ? 0 : raddle_failure(); }

struct raddle_system {
    long uptime;
    unsigned long loads[3], memory[6];
    unsigned short processes, pad;
    unsigned long high[2];
    unsigned unit;
};

int sysinfo(struct raddle_system *to) {
    to->uptime = (long)(__raddle_nondet_uint() >> 1);
    for (int i = 0; i < 3; i++)
        to->loads[i] = __raddle_nondet_uint();
    for (int i = 0; i < 6; i++)
        to->memory[i] = __raddle_nondet_ulong();
    to->processes = (unsigned short)(__raddle_nondet_uint() % 65535 + 1);
    to->high[0] = __raddle_nondet_ulong();
    to->high[1] = __raddle_nondet_ulong();
    to->unit = (__raddle_nondet_uint() & 0xffff) + 1;
    return 0;
}

struct raddle_file_system {
    unsigned long block_size, fragment, blocks[3], files[3], id, flags, longest_name;
    int reserved[6];
};

int statvfs(const char *path, struct raddle_file_system *to) {
    (void)path;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    to->block_size = (unsigned long)(__raddle_nondet_uint() & 0xffffff) + 1;
    to->fragment = (unsigned long)(__raddle_nondet_uint() & 0xffffff) + 1;
    for (int i = 0; i < 3; i++) {
        to->blocks[i] = __raddle_nondet_ulong();
        to->files[i] = __raddle_nondet_ulong();
    }
    to->id = __raddle_nondet_ulong();
    to->flags = __raddle_nondet_uint();
    to->longest_name = 255;
    return 0;
}

int fstatvfs(int file, struct raddle_file_system *to) { (void)file; return statvfs(0, to); }

struct raddle_timer {
    long interval[2], value[2];
};

int getitimer(int which, struct raddle_timer *to) {
    if (which < 0 || which > 2)
        return raddle_error(RADDLE_EINVAL);
    to->interval[0] = (long)(__raddle_nondet_uint() >> 1);
    to->interval[1] = (long)(__raddle_nondet_uint() % 1000000);
    to->value[0] = (long)(__raddle_nondet_uint() >> 1);
    to->value[1] = (long)(__raddle_nondet_uint() % 1000000);
    return 0;
}

// No signal comes, so what is set shows only in what was set before.
int setitimer(int which, const struct raddle_timer *timer, struct raddle_timer *before) {
    if (which < 0 || which > 2 || timer->interval[1] < 0 || timer->interval[1] > 999999 || timer->value[1] < 0 || timer->value[1] > 999999)
        return raddle_error(RADDLE_EINVAL);
    return before ? getitimer(which, before) : 0;
}

// Thread names are set and read; other options succeed or fail.
static _Thread_local char raddle_thread_name[RADDLE_NAME];

int prctl(int option, ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, option);
    int result = 0;
    if (option == 15) { // PR_SET_NAME
        const char *name = __builtin_va_arg(arguments, const char *);
        for (int i = 0; i < RADDLE_NAME - 1; i++) {
            raddle_thread_name[i] = name[i];
            if (!name[i])
                break;
        }
    } else if (option == 16) { // PR_GET_NAME
        char *to = __builtin_va_arg(arguments, char *);
        for (int i = 0; i < RADDLE_NAME; i++)
            to[i] = raddle_thread_name[i];
    } else {
        result = option == 3 ? (int)(__raddle_nondet_uint() % 3) : raddle_outcome(); // PR_GET_DUMPABLE
    }
    __builtin_va_end(arguments);
    return result;
}

// A link has no terminator.
long readlink(const char *path, char *to, size_t room) {
    (void)path;
    if (!room)
        return raddle_error(RADDLE_EINVAL);
    if (!__raddle_nondet_uint())
        return raddle_failure();
    size_t n = (__raddle_nondet_uint() & 15) + 1;
    if (n > RADDLE_NAME - 1)
        n = RADDLE_NAME - 1;
    if (n > room)
        n = room;
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = __raddle_nondet_uchar();
        to[i] = (char)(byte ? byte : 1);
    }
    return (long)n;
}

char *realpath(const char *path, char *to) {
    if (!path) {
        raddle_error(RADDLE_EINVAL);
        return 0;
    }
    if (!__raddle_nondet_uint()) {
        raddle_failure();
        return 0;
    }
    if (!to)
        to = __raddle_malloc(RADDLE_PATH);
    to[0] = '/';
    for (int i = 1; i < RADDLE_NAME - 1; i++)
        to[i] = (char)__raddle_nondet_uchar();
    to[RADDLE_NAME - 1] = 0;
    return to;
}
