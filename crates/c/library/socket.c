// sys/socket.h, arpa/inet.h, fcntl.h: files and connections. Whether a call succeeds, and what comes in, is any value; nothing that goes
// out comes back in, but between a pair of sockets (channel.c).

typedef __SIZE_TYPE__ size_t;

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);
int *__errno_location(void);
int raddle_descriptor(void);
int raddle_is_channel(int file);
void raddle_no_channel(int file);
long raddle_channel_read(int file, void *to, size_t n, int once);
long raddle_channel_write(int file, const void *from, size_t n, int quiet);
int raddle_channel_shutdown(int file, int how);

enum { RADDLE_MSG_DONTWAIT = 0x40, RADDLE_MSG_NOSIGNAL = 0x4000, RADDLE_MSG_MORE = 0x8000 };

// A failure: any error.
static int raddle_failure(void) {
    *__errno_location() = (int)(__raddle_nondet_uint() & 127) + 1;
    return -1;
}

// Zero, or -1 for a failure.
static int raddle_outcome(void) { return __raddle_nondet_uint() ? 0 : raddle_failure(); }

static void raddle_any_bytes(void *to, size_t n) {
    unsigned char *bytes = to;
    for (size_t i = 0; i < n; i++)
        bytes[i] = __raddle_nondet_uchar();
}

// How many bytes arrive, at most n; -1 for a failure.
static long raddle_arrive(void *to, size_t n) {
    if (!__raddle_nondet_uint())
        return raddle_failure();
    size_t some = __raddle_nondet_uint();
    if (some > n)
        some = n;
    raddle_any_bytes(to, some);
    return (long)some;
}

// How many bytes are taken, at most n; they are looked at.
static long raddle_depart(const void *from, size_t n) {
    const unsigned char *bytes = from;
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = bytes[i];
        (void)byte;
    }
    if (!__raddle_nondet_uint())
        return raddle_failure();
    size_t some = __raddle_nondet_uint();
    return (long)(some > n ? n : some);
}

static void raddle_peer(void *address, unsigned *length) {
    if (address && length)
        raddle_any_bytes(address, *length);
}


int open(const char *path, int flags, ...) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)path;
    (void)flags;
    return raddle_descriptor();
}

int creat(const char *path, unsigned mode) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)path;
    (void)mode;
    return raddle_descriptor();
}
int access(const char *path, int mode) { (void)path; (void)mode; return raddle_outcome(); }
int unlink(const char *path) { (void)path; return raddle_outcome(); }
int mkfifo(const char *path, unsigned mode) { (void)path; (void)mode; return raddle_outcome(); }
long lseek(int file, long offset, int whence) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        if (raddle_is_channel(file)) {
            *__errno_location() = 29; // ESPIPE
            return -1;
        }
    (void)offset; (void)whence;
    return (long)__raddle_nondet_uint() - 1;
}

int socket(int domain, int type, int protocol) {
    (void)domain; (void)type; (void)protocol;
    return raddle_descriptor();
}

int bind(int s, const void *address, unsigned length) { (void)s; (void)address; (void)length; return raddle_outcome(); }

int connect(int s, const void *address, unsigned length) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)s;
    (void)address;
    (void)length;
    return raddle_outcome();
}
int listen(int s, int backlog) { (void)s; (void)backlog; return raddle_outcome(); }

int shutdown(int s, int how) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(s))
        return raddle_channel_shutdown(s, how);
    return raddle_outcome();
}


int accept(int s, void *address, unsigned *length) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)s;
    raddle_peer(address, length);
    return raddle_descriptor();
}

int setsockopt(int s, int level, int name, const void *value, unsigned length) {
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(s);
    (void)level; (void)name; (void)value; (void)length;
    return raddle_outcome();
}


long recv(int s, void *to, size_t n, int flags) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(s)) {
        if (flags & ~(RADDLE_MSG_DONTWAIT | RADDLE_MSG_NOSIGNAL))
            raddle_no_channel(s);
        return raddle_channel_read(s, to, n, flags & RADDLE_MSG_DONTWAIT);
    }
    return raddle_arrive(to, n);
}

long recvfrom(int s, void *to, size_t n, int flags, void *address, unsigned *length) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(s);
    (void)flags;
    raddle_peer(address, length);
    return raddle_arrive(to, n);
}


long send(int s, const void *from, size_t n, int flags) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd") && raddle_is_channel(s)) {
        if (flags & ~(RADDLE_MSG_DONTWAIT | RADDLE_MSG_NOSIGNAL | RADDLE_MSG_MORE))
            raddle_no_channel(s);
        return raddle_channel_write(s, from, n, flags & RADDLE_MSG_NOSIGNAL);
    }
    return raddle_depart(from, n);
}

long sendto(int s, const void *from, size_t n, int flags, const void *address, unsigned length) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(s);
    (void)flags; (void)address; (void)length;
    return raddle_depart(from, n);
}

struct raddle_piece {
    void *memory;
    size_t size;
};

struct raddle_message {
    void *address;
    unsigned address_length;
    struct raddle_piece *pieces;
    size_t count;
    void *control;
    size_t control_length;
    int flags;
};

// Pieces are filled one after the other; the last of them may be filled in part. No control messages come.
long recvmsg(int s, struct raddle_message *message, int flags) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(s);
    (void)flags;
    long sum = 0;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    for (size_t i = 0; i < message->count; i++) {
        size_t some = __raddle_nondet_uint(), size = message->pieces[i].size;
        if (some > size)
            some = size;
        raddle_any_bytes(message->pieces[i].memory, some);
        sum += (long)some;
        if (some < size)
            break;
    }
    if (message->address)
        raddle_any_bytes(message->address, message->address_length);
    message->control_length = 0;
    message->flags = (int)(__raddle_nondet_uint() & 0x28); // MSG_CTRUNC, MSG_TRUNC
    return sum;
}

long sendmsg(int s, const struct raddle_message *message, int flags) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(s);
    (void)flags;
    long sum = 0;
    for (size_t i = 0; i < message->count; i++) {
        long n = raddle_depart(message->pieces[i].memory, message->pieces[i].size);
        if (n < 0)
            return sum ? sum : -1;
        sum += n;
        if ((size_t)n < message->pieces[i].size)
            break;
    }
    return sum;
}

unsigned short htons(unsigned short n) { return (unsigned short)(n << 8 | n >> 8); }
unsigned short ntohs(unsigned short n) { return htons(n); }

unsigned htonl(unsigned n) {
    return n << 24 | (n << 8 & 0xff0000) | (n >> 8 & 0xff00) | n >> 24;
}

unsigned ntohl(unsigned n) { return htonl(n); }
unsigned inet_addr(const char *text) { (void)text; return __raddle_nondet_uint(); }
