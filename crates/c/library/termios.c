// termios.h and sys/ioctl.h: what a terminal is set to is anything; it is written only on success. Requests of ioctl that are not listed
// here are refused where they are made.

typedef __SIZE_TYPE__ size_t;

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);
int *__errno_location(void);
void raddle_no_channel(int file);

static int raddle_failure(void) {
    *__errno_location() = (int)(__raddle_nondet_uint() & 127) + 1;
    return -1;
}

static int raddle_outcome(void) { return __raddle_nondet_uint() ? 0 : raddle_failure(); }

struct raddle_terminal {
    unsigned input, output, control, local;
    unsigned char line, characters[32];
    unsigned input_speed, output_speed;
};

int tcgetattr(int file, struct raddle_terminal *to) {
    (void)file;
    if (!__raddle_nondet_uint())
        return raddle_failure();
    to->input = __raddle_nondet_uint();
    to->output = __raddle_nondet_uint();
    to->control = __raddle_nondet_uint();
    to->local = __raddle_nondet_uint();
    to->line = __raddle_nondet_uchar();
    for (int i = 0; i < 32; i++)
        to->characters[i] = __raddle_nondet_uchar();
    to->input_speed = __raddle_nondet_uint();
    to->output_speed = __raddle_nondet_uint();
    return 0;
}

int tcsetattr(int file, int when, const struct raddle_terminal *from) {
    (void)file;
    struct raddle_terminal copy = *from;
    (void)copy;
    if (when < 0 || when > 2) {
        *__errno_location() = 22;
        return -1;
    }
    return raddle_outcome();
}

int tcflush(int file, int which) { (void)file; (void)which; return raddle_outcome(); }

int tcdrain(int file) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)file;
    return raddle_outcome();
}
int tcsendbreak(int file, int duration) { (void)file; (void)duration; return raddle_outcome(); }

void cfmakeraw(struct raddle_terminal *t) {
    t->input &= ~02753u;
    t->output &= ~1u;
    t->local &= ~0100113u;
    t->control = (t->control & ~0460u) | 060;
    t->characters[6] = 1;
    t->characters[5] = 0;
}

unsigned cfgetispeed(const struct raddle_terminal *t) { return t->control & 010017; }
unsigned cfgetospeed(const struct raddle_terminal *t) { return t->control & 010017; }

// TIOCGWINSZ and FIONREAD write; requests made by _IOR and _IOWR say how much they write.
int ioctl(int file, unsigned long request, ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, request);
    if (__raddle_uses("pipe|pipe2|socketpair|eventfd"))
        raddle_no_channel(file);
    if (!__raddle_nondet_uint()) {
        __builtin_va_end(arguments);
        return raddle_failure();
    }
    size_t size = request == 0x5413 ? 8 : request >> 31 & 1 ? request >> 16 & 0x3fff : 0;
    if (request == 0x541b)
        *__builtin_va_arg(arguments, int *) = (int)(__raddle_nondet_uint() >> 1);
    else if (size) {
        unsigned char *to = __builtin_va_arg(arguments, unsigned char *);
        for (size_t i = 0; i < size; i++)
            to[i] = __raddle_nondet_uchar();
    }
    __builtin_va_end(arguments);
    return 0;
}
