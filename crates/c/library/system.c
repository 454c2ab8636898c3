// Files, directories, names and connections beyond unistd.c and socket.c. What the system answers is anything it can answer: a count within
// the buffer, a well-formed record, or -1 with an error. Names from outside have up to 15 characters.

typedef __SIZE_TYPE__ size_t;

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
_Bool __raddle_nondet_bool(void);
unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);
unsigned long __raddle_nondet_ulong(void);
void __raddle_assume(int condition);
void *__raddle_malloc(unsigned long size);
void __raddle_free(void *p);
int *__errno_location(void);
int snprintf(char *restrict to, size_t room, const char *restrict format, ...);
long read(int file, void *to, size_t n);
long write(int file, const void *from, size_t n);
int accept(int s, void *address, unsigned *length);
int raddle_descriptor(void);
int raddle_is_channel(int file);
void raddle_no_channel(int file);
int raddle_channel_flags(int file);
void raddle_channel_set_flags(int file, int flags);
int raddle_channel_poll(int file);
int raddle_changes_until_now(void);
void raddle_wait_for_a_change(int since);


enum { RADDLE_EBADF = 9, RADDLE_EINVAL = 22, RADDLE_ESPIPE = 29, RADDLE_ERANGE = 34, RADDLE_ENAMETOOLONG = 36, RADDLE_NAME = 16 };

static int raddle_error(int error) {
    *__errno_location() = error;
    return -1;
}

// A failure: any error.
static int raddle_failure(void) { return raddle_error((int)(__raddle_nondet_uint() & 127) + 1); }

// Zero, or a failure.
static int raddle_outcome(void) { return __raddle_nondet_uint() ? 0 : raddle_failure(); }

static long raddle_natural(void) { return (long)(__raddle_nondet_uint() >> 1); }

// Any name with at least one character.
static void raddle_name(char *to) {
    for (int i = 0; i < RADDLE_NAME - 1; i++)
        to[i] = (char)__raddle_nondet_uchar();
    to[RADDLE_NAME - 1] = 0;
    __raddle_assume(to[0] != 0);
}

// Descriptors

int fcntl(int file, int command, ...) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(file)) {
        if (command == 3) // F_GETFL
            return raddle_channel_flags(file);
        if (command == 4) { // F_SETFL
            __builtin_va_list arguments;
            __builtin_va_start(arguments, command);
            raddle_channel_set_flags(file, __builtin_va_arg(arguments, int));
            __builtin_va_end(arguments);
            return 0;
        }
        if (command == 1 || command == 2) // F_GETFD, F_SETFD
            return 0;
        raddle_no_channel(file);
    }
    if (!__raddle_nondet_uint())
        return raddle_failure();
    // F_DUPFD and F_DUPFD_CLOEXEC; F_GETFD and F_GETFL
    if (command == 0 || command == 1030)
        return raddle_descriptor();
    return command == 1 ? (int)(__raddle_nondet_uint() & 1) : command == 3 ? (int)(__raddle_nondet_uint() & 0x7fffff) : 0;
}

int dup(int file) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(file);
    return raddle_descriptor();
}

int dup2(int file, int other) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd")) {
        raddle_no_channel(file);
        raddle_no_channel(other);
    }
    return other >= 0 && __raddle_nondet_uint() ? other : raddle_failure();
}

int dup3(int file, int other, int flags) { (void)flags; return file == other ? raddle_error(RADDLE_EINVAL) : dup2(file, other); }

int openat(int directory, const char *path, int flags, ...) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)directory;
    (void)path;
    (void)flags;
    return raddle_descriptor();
}

int open64(const char *path, int flags, ...) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)path;
    (void)flags;
    return raddle_descriptor();
}
int shm_open(const char *path, int flags, unsigned mode) { (void)path; (void)flags; (void)mode; return raddle_descriptor(); }
int shm_unlink(const char *path) { (void)path; return raddle_outcome(); }

int fsync(int file) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)file;
    return raddle_outcome();
}

int fdatasync(int file) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)file;
    return raddle_outcome();
}
void sync(void) {}
int flock(int file, int how) { (void)file; (void)how; return raddle_outcome(); }

int lockf(int file, int how, long length) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)file;
    (void)how;
    (void)length;
    return raddle_outcome();
}
int ftruncate(int file, long length) { (void)file; return length < 0 ? raddle_error(RADDLE_EINVAL) : raddle_outcome(); }
int truncate(const char *path, long length) { (void)path; return length < 0 ? raddle_error(RADDLE_EINVAL) : raddle_outcome(); }
int fchmod(int file, unsigned mode) { (void)file; (void)mode; return raddle_outcome(); }

long pread(int file, void *to, size_t n, long at) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        if (raddle_is_channel(file))
            return raddle_error(RADDLE_ESPIPE);
    return at < 0 ? raddle_error(RADDLE_EINVAL) : read(file, to, n);
}

long pwrite(int file, const void *from, size_t n, long at) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        if (raddle_is_channel(file))
            return raddle_error(RADDLE_ESPIPE);
    // Not to a stream that is shown.
    return at < 0 ? raddle_error(RADDLE_EINVAL) : write(-1, from, n);
}

struct raddle_piece {
    void *memory;
    size_t size;
};

// Pieces are filled one after the other; the last of them may be filled in part.
long readv(int file, const struct raddle_piece *pieces, int count) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    long sum = 0;
    for (int i = 0; i < count; i++) {
        long n = read(file, pieces[i].memory, pieces[i].size);
        if (n < 0)
            return sum ? sum : -1;
        sum += n;
        if ((size_t)n < pieces[i].size)
            break;
    }
    return sum;
}

long writev(int file, const struct raddle_piece *pieces, int count) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    long sum = 0;
    for (int i = 0; i < count; i++) {
        long n = write(file, pieces[i].memory, pieces[i].size);
        if (n < 0)
            return sum ? sum : -1;
        sum += n;
        if ((size_t)n < pieces[i].size)
            break;
    }
    return sum;
}

long splice(int from, long *at, int to, long *there, size_t n, unsigned flags) {
    (void)flags;
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd")) {
        raddle_no_channel(from);
        raddle_no_channel(to);
    }
    if (!__raddle_nondet_uint())
        return raddle_failure();
    long some = raddle_natural();
    if ((size_t)some > n)
        some = (long)n;
    if (at)
        *at += some;
    if (there)
        *there += some;
    return some;
}

long sendfile(int to, int from, long *at, size_t n) { return splice(from, at, to, 0, n, 0); }

// Descriptors of what the system tells: timers, signals, files. When it tells is not known.
int timerfd_create(int clock, int flags) { (void)clock; (void)flags; return raddle_descriptor(); }
int signalfd(int file, const void *signals, int flags) { (void)signals; (void)flags; return file < 0 ? raddle_descriptor() : file; }
int inotify_init(void) { return raddle_descriptor(); }
int inotify_init1(int flags) { (void)flags; return raddle_descriptor(); }
int memfd_create(const char *name, unsigned flags) { (void)name; (void)flags; return raddle_descriptor(); }

int timerfd_settime(int timer, int flags, const void *time, void *before) {
    (void)timer; (void)flags;
    const long *parts = time;
    for (int i = 1; i < 4; i += 2)
        if (parts[i] < 0 || parts[i] >= 1000000000)
            return raddle_error(RADDLE_EINVAL);
    long *old = before;
    for (int i = 0; old && i < 4; i++)
        old[i] = i % 2 ? (long)(__raddle_nondet_uint() % 1000000000) : raddle_natural();
    return raddle_outcome();
}

long tee(int from, int to, size_t n, unsigned flags) { return splice(from, 0, to, 0, n, flags); }

struct raddle_polled {
    int file;
    short events, happened;
};

int poll(struct raddle_polled *files, unsigned long count, int timeout) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    for (;;) {
        int ready = 0, outside = 0;
        int seen = __raddle_uses("pipe|pipe2|socketpair|eventfd") ? raddle_changes_until_now() : 0;
        for (unsigned long i = 0; i < count; i++) {
            short happened = 0;
            // POLLERR, POLLHUP and POLLNVAL come without being asked for.
            unsigned possible = (unsigned)(files[i].events | 0x38);
            if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(files[i].file)) {
                happened = (short)((unsigned)raddle_channel_poll(files[i].file) & possible);
            } else if (files[i].file >= 0) {
                happened = (short)(__raddle_nondet_uint() & possible);
                outside = 1;
            }
            files[i].happened = happened;
            ready += happened != 0;
        }
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

int ppoll(struct raddle_polled *files, unsigned long count, const void *timeout, const void *signals) {
    (void)signals;
    return poll(files, count, timeout ? 1 : -1);
}

static int raddle_some_of(unsigned long *set, int count) {
    int ready = 0;
    for (int i = 0; set && i * 8 * (int)sizeof(long) < count; i++) {
        unsigned long some = set[i] & __raddle_nondet_ulong();
        set[i] = some;
        ready += __builtin_popcountl(some);
    }
    return ready;
}

struct raddle_interval {
    long seconds, microseconds;
};

enum { RADDLE_FILES = 1024, RADDLE_BITS = 8 * sizeof(long) };

static int raddle_has(const unsigned long *set, int file) { return set && set[file / RADDLE_BITS] >> file % RADDLE_BITS & 1; }

// One look at pipes and their like, and at what is outside; the number of what is ready, or -1 if a descriptor is none.
static int raddle_look(int count, unsigned long *sets[3], unsigned long found[3][RADDLE_FILES / RADDLE_BITS], int *outside) {
    // POLLIN, POLLERR, POLLHUP; POLLOUT, POLLERR; nothing
    const int counts[3] = {1 | 8 | 16, 4 | 8, 0};
    int ready = 0;
    for (int file = 0; file < count; file++) {
        int wanted = raddle_has(sets[0], file) | raddle_has(sets[1], file) | raddle_has(sets[2], file);
        if (!wanted)
            continue;
        int ours = raddle_is_channel(file), now = ours ? raddle_channel_poll(file) : 0;
        if (now & 32) // POLLNVAL
            return -1;
        *outside |= !ours;
        for (int i = 0; i < 3; i++)
            if (raddle_has(sets[i], file) && (ours ? (now & counts[i]) != 0 : __raddle_nondet_bool())) {
                found[i][file / RADDLE_BITS] |= 1ul << file % RADDLE_BITS;
                ready++;
            }
    }
    return ready;
}

static int raddle_select(int count, unsigned long *sets[3], const struct raddle_interval *timeout) {
    if (count > RADDLE_FILES)
        return raddle_error(RADDLE_EINVAL);
    for (;;) {
        unsigned long found[3][RADDLE_FILES / RADDLE_BITS] = {0};
        int seen = raddle_changes_until_now(), outside = 0;
        int ready = raddle_look(count, sets, found, &outside);
        if (ready < 0)
            return raddle_error(RADDLE_EBADF);
        if (outside && !__raddle_nondet_uint())
            return raddle_failure();
        if (outside || ready || timeout) {
            __raddle_assume(ready || timeout);
            for (int i = 0; i < 3; i++)
                for (int word = 0; sets[i] && word * RADDLE_BITS < count; word++)
                    sets[i][word] = found[i][word];
            return ready;
        }
        raddle_wait_for_a_change(seen);
    }
}

int select(int count, unsigned long *reading, unsigned long *writing, unsigned long *failing, struct raddle_interval *timeout) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (count < 0 || (timeout && (timeout->seconds < 0 || timeout->microseconds < 0)))
        return raddle_error(RADDLE_EINVAL);
    int ready;
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd")) {
        unsigned long *sets[3] = {reading, writing, failing};
        ready = raddle_select(count, sets, timeout);
        if (ready < 0)
            return -1;
    } else {
        if (!__raddle_nondet_uint())
            return raddle_failure();
        ready = raddle_some_of(reading, count) + raddle_some_of(writing, count) + raddle_some_of(failing, count);
    }
    if (timeout && __raddle_nondet_bool())
        timeout->seconds = timeout->microseconds = 0; // what is left of it
    __raddle_assume(timeout || ready > 0);
    return ready;
}

int pselect(int count, unsigned long *reading, unsigned long *writing, unsigned long *failing, const struct raddle_interval *timeout, const void *signals) {
    (void)signals;
    struct raddle_interval some = {1, 0};
    return select(count, reading, writing, failing, timeout ? &some : 0);
}

// Paths

int mkdir(const char *path, unsigned mode) { (void)path; (void)mode; return raddle_outcome(); }
int rmdir(const char *path) { (void)path; return raddle_outcome(); }
int rename(const char *from, const char *to) { (void)from; (void)to; return raddle_outcome(); }
int remove(const char *path) { (void)path; return raddle_outcome(); }
int link(const char *from, const char *to) { (void)from; (void)to; return raddle_outcome(); }
int symlink(const char *from, const char *to) { (void)from; (void)to; return raddle_outcome(); }
int chdir(const char *path) { (void)path; return raddle_outcome(); }
int chmod(const char *path, unsigned mode) { (void)path; (void)mode; return raddle_outcome(); }
int chown(const char *path, unsigned user, unsigned group) { (void)path; (void)user; (void)group; return raddle_outcome(); }
unsigned umask(unsigned mask) { (void)mask; return __raddle_nondet_uint() & 0777; }

struct raddle_stat {
    unsigned long device, inode, links;
    unsigned mode, user, group, pad;
    unsigned long special;
    long size, block_size, blocks;
    long times[6];
    long reserved[3];
};

static int raddle_stat(struct raddle_stat *to) {
    if (sizeof(long) != 8 || !__raddle_nondet_uint())
        return raddle_failure();
    to->device = __raddle_nondet_ulong();
    to->inode = __raddle_nondet_ulong();
    to->links = __raddle_nondet_uint();
    to->mode = __raddle_nondet_uint() & 0177777;
    to->user = __raddle_nondet_uint();
    to->group = __raddle_nondet_uint();
    to->special = __raddle_nondet_ulong();
    to->size = (long)(__raddle_nondet_ulong() >> 1);
    to->block_size = 4096;
    to->blocks = (long)(__raddle_nondet_ulong() >> 1);
    for (int i = 0; i < 6; i++)
        to->times[i] = i % 2 ? (long)(__raddle_nondet_uint() % 1000000000) : raddle_natural();
    return 0;
}

int stat(const char *path, struct raddle_stat *to) { (void)path; return raddle_stat(to); }
int lstat(const char *path, struct raddle_stat *to) { (void)path; return raddle_stat(to); }
int fstat(int file, struct raddle_stat *to) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(file);
    return raddle_stat(to);
}


char *getcwd(char *to, size_t room) {
    if (!__raddle_nondet_uint()) {
        raddle_failure();
        return 0;
    }
    if (to && room < RADDLE_NAME) {
        raddle_error(room ? RADDLE_ERANGE : RADDLE_EINVAL);
        return 0;
    }
    if (!to)
        to = __raddle_malloc(room > RADDLE_NAME ? room : RADDLE_NAME);
    raddle_name(to);
    __raddle_assume(to[0] == '/');
    return to;
}

char *basename(const char *path) {
    const char *last = path;
    for (; *path; path++)
        if (*path == '/')
            last = path + 1;
    return (char *)last;
}

// A stream of a directory belongs to one thread: its record is plain.

struct raddle_entry {
    unsigned long inode;
    long offset;
    unsigned short length;
    unsigned char kind;
    char name[256];
};

struct raddle_directory {
    struct raddle_entry entry;
};

struct raddle_directory *opendir(const char *path) {
    (void)path;
    if (__raddle_nondet_uint())
        return __raddle_malloc(sizeof(struct raddle_directory));
    raddle_failure();
    return 0;
}

struct raddle_entry *readdir(struct raddle_directory *directory) {
    directory->entry.inode = __raddle_nondet_ulong();
    if (!__raddle_nondet_uint())
        return 0;
    directory->entry.offset = raddle_natural();
    directory->entry.length = sizeof(struct raddle_entry);
    directory->entry.kind = __raddle_nondet_uchar() & 15;
    raddle_name(directory->entry.name);
    return &directory->entry;
}

void rewinddir(struct raddle_directory *directory) { directory->entry.offset = 0; }

int closedir(struct raddle_directory *directory) {
    __raddle_free(directory);
    return 0;
}

// The machine

struct raddle_machine {
    char part[6][65];
};

int uname(struct raddle_machine *to) {
    for (int i = 0; i < 6; i++)
        raddle_name(to->part[i]);
    return 0;
}

int gethostname(char *to, size_t room) {
    if (room < RADDLE_NAME)
        return raddle_error(RADDLE_ENAMETOOLONG);
    raddle_name(to);
    return 0;
}

int get_nprocs(void) { return (int)(__raddle_nondet_uint() & 1023) + 1; }
int get_nprocs_conf(void) { return (int)(__raddle_nondet_uint() & 1023) + 1; }
unsigned getgid(void) { return __raddle_nondet_uint() & 0x3fffffff; }
unsigned getegid(void) { return __raddle_nondet_uint() & 0x3fffffff; }
int getpgrp(void) { return (int)(__raddle_nondet_uint() & 0x3fffff) + 1; }
int setsid(void) { return __raddle_nondet_uint() ? (int)(__raddle_nondet_uint() & 0x3fffff) + 1 : raddle_failure(); }
int setuid(unsigned user) { (void)user; return raddle_outcome(); }
int setgid(unsigned group) { (void)group; return raddle_outcome(); }
int nice(int by) { (void)by; return (int)(__raddle_nondet_uint() % 40) - 20; }
int getpriority(int which, unsigned who) { (void)which; (void)who; return (int)(__raddle_nondet_uint() % 40) - 20; }
int setpriority(int which, unsigned who, int value) { (void)which; (void)who; (void)value; return raddle_outcome(); }

int getrlimit(int which, unsigned long limit[2]) {
    if (which < 0 || which > 15)
        return raddle_error(RADDLE_EINVAL);
    unsigned long now = __raddle_nondet_ulong(), most = __raddle_nondet_ulong();
    __raddle_assume(now <= most);
    limit[0] = now;
    limit[1] = most;
    return 0;
}

int setrlimit(int which, const unsigned long limit[2]) {
    if (which < 0 || which > 15 || limit[0] > limit[1])
        return raddle_error(RADDLE_EINVAL);
    return raddle_outcome();
}

long getrandom(void *to, size_t n, unsigned flags) {
    (void)flags;
    unsigned char *bytes = to;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    size_t some = n > 256 ? __raddle_nondet_uint() % n + 1 : n;
    for (size_t i = 0; i < some; i++)
        bytes[i] = __raddle_nondet_uchar();
    return (long)some;
}

int getentropy(void *to, size_t n) {
    unsigned char *bytes = to;
    if (n > 256)
        return raddle_error(5);
    for (size_t i = 0; i < n; i++)
        bytes[i] = __raddle_nondet_uchar();
    return 0;
}

// The locale: one plain object, which setlocale writes.

static int raddle_locale;

char *setlocale(int category, const char *name) {
    (void)category;
    if (!name)
        return (char *)"C";
    raddle_locale++;
    return __raddle_nondet_bool() ? (char *)"C" : 0;
}

// Connections

int accept4(int s, void *address, unsigned *length, int flags) { (void)flags; return accept(s, address, length); }

int getsockopt(int s, int level, int name, void *value, unsigned *length) {
    (void)s;
    (void)level;
    (void)name;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    for (unsigned i = 0; i < *length; i++)
        ((unsigned char *)value)[i] = __raddle_nondet_uchar();
    return 0;
}

static int raddle_address(void *address, unsigned *length) {
    if (!__raddle_nondet_uint())
        return raddle_failure();
    for (unsigned i = 0; i < *length; i++)
        ((unsigned char *)address)[i] = __raddle_nondet_uchar();
    return 0;
}

int getsockname(int s, void *address, unsigned *length) { (void)s; return raddle_address(address, length); }
int getpeername(int s, void *address, unsigned *length) { (void)s; return raddle_address(address, length); }

struct raddle_found {
    int flags, family, kind, protocol;
    unsigned length;
    void *address;
    char *name;
    struct raddle_found *next;
};

// One address, or any of the errors.
int getaddrinfo(const char *name, const char *service, const struct raddle_found *wanted, struct raddle_found **result) {
    (void)name;
    (void)service;
    unsigned any = __raddle_nondet_uint();
    if (any % 13)
        return -(int)(any % 13);
    struct raddle_found *one = __raddle_malloc(sizeof *one);
    unsigned char *address = __raddle_malloc(28);
    int family = wanted ? wanted->family : 0;
    if (!family)
        family = __raddle_nondet_bool() ? 2 : 10;
    one->flags = wanted ? wanted->flags : 0;
    one->family = family;
    one->kind = wanted && wanted->kind ? wanted->kind : 1;
    one->protocol = wanted && wanted->protocol ? wanted->protocol : 6;
    one->length = family == 2 ? 16 : 28;
    for (unsigned i = 0; i < 28; i++)
        address[i] = i == 0 ? (unsigned char)family : i == 1 ? 0 : __raddle_nondet_uchar();
    one->address = address;
    one->name = 0;
    one->next = 0;
    *result = one;
    return 0;
}

void freeaddrinfo(struct raddle_found *list) {
    while (list) {
        struct raddle_found *next = list->next;
        __raddle_free(list->address);
        __raddle_free(list);
        list = next;
    }
}

const char *gai_strerror(int error) { return error == -2 ? "Name or service not known" : error == -3 ? "Temporary failure in name resolution" : "Unknown error"; }

// Each thread has its own text.
static _Thread_local char raddle_dotted[18];

struct raddle_internet_address {
    unsigned number;
};

char *inet_ntoa(struct raddle_internet_address from) {
    unsigned address = from.number;
    snprintf(raddle_dotted, sizeof raddle_dotted, "%d.%d.%d.%d", address & 255, address >> 8 & 255, address >> 16 & 255, address >> 24);
    return raddle_dotted;
}

// Records of users and hosts, and names: plain objects, since these functions are not thread-safe.

static char raddle_terminal[RADDLE_NAME], raddle_login[RADDLE_NAME], raddle_temporary[RADDLE_NAME];

char *ttyname(int file) {
    (void)file;
    raddle_name(raddle_terminal);
    return __raddle_nondet_bool() ? raddle_terminal : 0;
}

char *getlogin(void) {
    raddle_name(raddle_login);
    return __raddle_nondet_bool() ? raddle_login : 0;
}

char *tmpnam(char *to) {
    if (!to)
        to = raddle_temporary;
    raddle_name(to);
    return to;
}

struct raddle_user {
    char *name, *password;
    unsigned user, group;
    char *about, *home, *shell;
};

static struct raddle_user raddle_user;
static char raddle_user_text[5][RADDLE_NAME];

static struct raddle_user *raddle_any_user(void) {
    for (int i = 0; i < 5; i++)
        raddle_name(raddle_user_text[i]);
    raddle_user.name = raddle_user_text[0];
    raddle_user.password = raddle_user_text[1];
    raddle_user.user = __raddle_nondet_uint();
    raddle_user.group = __raddle_nondet_uint();
    raddle_user.about = raddle_user_text[2];
    raddle_user.home = raddle_user_text[3];
    raddle_user.shell = raddle_user_text[4];
    return __raddle_nondet_bool() ? &raddle_user : 0;
}

struct raddle_user *getpwnam(const char *name) { (void)name; return raddle_any_user(); }
struct raddle_user *getpwuid(unsigned user) { (void)user; return raddle_any_user(); }

struct raddle_group {
    char *name, *password;
    unsigned group;
    char **members;
};

static struct raddle_group raddle_group;
static char raddle_group_text[2][RADDLE_NAME], *raddle_no_members[1];

static struct raddle_group *raddle_any_group(void) {
    raddle_name(raddle_group_text[0]);
    raddle_name(raddle_group_text[1]);
    raddle_group.name = raddle_group_text[0];
    raddle_group.password = raddle_group_text[1];
    raddle_group.group = __raddle_nondet_uint();
    raddle_group.members = raddle_no_members;
    return __raddle_nondet_bool() ? &raddle_group : 0;
}

struct raddle_group *getgrnam(const char *name) { (void)name; return raddle_any_group(); }
struct raddle_group *getgrgid(unsigned group) { (void)group; return raddle_any_group(); }

struct raddle_host {
    char *name, **aliases;
    int family, length;
    char **addresses;
};

static struct raddle_host raddle_host;
static char raddle_host_text[RADDLE_NAME], *raddle_no_aliases[1], *raddle_addresses[2];
static unsigned raddle_host_address;

struct raddle_host *gethostbyname(const char *name) {
    (void)name;
    raddle_name(raddle_host_text);
    raddle_host_address = __raddle_nondet_uint();
    raddle_addresses[0] = (char *)&raddle_host_address;
    raddle_host.name = raddle_host_text;
    raddle_host.aliases = raddle_no_aliases;
    raddle_host.family = 2;
    raddle_host.length = 4;
    raddle_host.addresses = raddle_addresses;
    return __raddle_nondet_bool() ? &raddle_host : 0;
}

static char raddle_l64a_text[7];

char *l64a(long n) {
    unsigned rest = (unsigned)n;
    int i = 0;
    for (; rest; rest >>= 6)
        raddle_l64a_text[i++] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[rest & 63];
    raddle_l64a_text[i] = 0;
    return raddle_l64a_text;
}
