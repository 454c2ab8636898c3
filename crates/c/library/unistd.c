// unistd.h: sleeping takes no time; what comes from outside is any value.

typedef __SIZE_TYPE__ size_t;

void __raddle_yield(void);
void __raddle_putchar(int stream, int c);
_Noreturn void __raddle_exit(int status);
unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);

unsigned sleep(unsigned seconds) {
    (void)seconds;
    __raddle_yield();
    return 0;
}

int usleep(unsigned microseconds) {
    (void)microseconds;
    __raddle_yield();
    return 0;
}

unsigned alarm(unsigned seconds) { (void)seconds; return 0; }
_Noreturn void _exit(int status) { __raddle_exit(status); }

long write(int file, const void *from, size_t n) {
    const unsigned char *bytes = from;
    for (size_t i = 0; i < n; i++) {
        unsigned char byte = bytes[i];
        if (file == 1 || file == 2)
            __raddle_putchar(file, byte);
    }
    return (long)n;
}

long read(int file, void *to, size_t n) {
    unsigned char *bytes = to;
    size_t some = __raddle_nondet_uint();
    (void)file;
    if (some > n)
        some = n;
    for (size_t i = 0; i < some; i++)
        bytes[i] = __raddle_nondet_uchar();
    return (long)some;
}

int close(int file) { (void)file; return 0; }
int isatty(int file) { (void)file; return 0; }
int getpid(void) { return 1000; }
int getppid(void) { return 1; }
int gettid(void) { return 1000; }
unsigned getuid(void) { return 1000; }
unsigned geteuid(void) { return 1000; }
int getpagesize(void) { return 4096; }

long sysconf(int name) {
    switch (name) {
    case 30: return 4096; // _SC_PAGESIZE
    case 83: // _SC_NPROCESSORS_CONF
    case 84: return 2; // _SC_NPROCESSORS_ONLN
    default: return -1;
    }
}
