// sys/mman.h. Anonymous memory is fresh and zero; what comes from a file is any bytes, and stores to it reach nobody else.
// Protections are accepted without effect.

typedef __SIZE_TYPE__ size_t;

int __raddle_uses(const char *name);
void raddle_cancellation_point(void);
void *__raddle_aligned_calloc(unsigned long alignment, unsigned long size);
void *__raddle_malloc(unsigned long size);
void __raddle_fuse_begin(void);
void __raddle_fuse_end(void);
void __raddle_free(void *p);
unsigned long __raddle_object_size(void *p);
unsigned __raddle_nondet_uint(void);
unsigned long __raddle_nondet_ulong(void);
int *__errno_location(void);

enum { RADDLE_SEQ_CST = 5, RADDLE_EINVAL = 22, RADDLE_ENOMEM = 12, RADDLE_PAGE = 4096, RADDLE_MAP_FIXED = 0x10, RADDLE_MAP_ANONYMOUS = 0x20 };

static int raddle_answer(int error) {
    if (!error)
        return 0;
    *__errno_location() = error;
    return -1;
}

// Zero, or a failure of any kind.
static int raddle_outcome(void) { return raddle_answer(__raddle_nondet_uint() ? 0 : (int)(__raddle_nondet_uint() & 127) + 1); }

// A mapping that nobody points to is no leak, so all are held here.
struct raddle_mapping {
    struct raddle_mapping *next;
    void *memory;
};

static struct raddle_mapping *raddle_mappings;

static void raddle_hold(void *memory) {
    struct raddle_mapping *one = __raddle_malloc(sizeof *one);
    one->memory = memory;
    __raddle_fuse_begin();
    one->next = __atomic_load_n(&raddle_mappings, RADDLE_SEQ_CST);
    __atomic_store_n(&raddle_mappings, one, RADDLE_SEQ_CST);
    __raddle_fuse_end();
}

static size_t raddle_pages(size_t size) { return (size + RADDLE_PAGE - 1) / RADDLE_PAGE * RADDLE_PAGE; }

void *mmap(void *hint, size_t size, int protection, int flags, int file, long offset) {
    (void)hint;
    (void)protection;
    (void)file;
    (void)offset;
    int error = !size || !(flags & 3) ? RADDLE_EINVAL : !raddle_pages(size) ? RADDLE_ENOMEM : 0;
    if (!error && !__raddle_nondet_uint())
        error = (flags & RADDLE_MAP_ANONYMOUS) ? RADDLE_ENOMEM : (int)(__raddle_nondet_uint() & 127) + 1;
    if (error) {
        *__errno_location() = error;
        return (void *)-1;
    }
    unsigned long *memory = __raddle_aligned_calloc(RADDLE_PAGE, raddle_pages(size));
    raddle_hold(memory);
    if (!(flags & RADDLE_MAP_ANONYMOUS))
        for (size_t i = 0; i < size / sizeof(long); i++)
            memory[i] = __raddle_nondet_ulong();
    return memory;
}

void *mmap64(void *hint, size_t size, int protection, int flags, int file, long offset) {
    return mmap(hint, size, protection, flags, file, offset);
}

// A part of a mapping stays.
int munmap(void *memory, size_t size) {
    if (!size)
        return raddle_answer(RADDLE_EINVAL);
    if (raddle_pages(size) >= __raddle_object_size(memory))
        __raddle_free(memory);
    return 0;
}

int mprotect(void *memory, size_t size, int protection) { (void)memory; (void)size; (void)protection; return raddle_outcome(); }

// MADV_DONTNEED makes anonymous memory zero again.
int madvise(void *memory, size_t size, int advice) {
    if (advice == 4)
        for (size_t i = 0; i < size; i++)
            ((char *)memory)[i] = 0;
    return raddle_outcome();
}

int posix_madvise(void *memory, size_t size, int advice) { (void)memory; (void)size; (void)advice; return 0; }

int msync(void *memory, size_t size, int flags) {
    if (__raddle_uses("pthread_cancel"))
        raddle_cancellation_point();
    (void)memory;
    (void)size;
    (void)flags;
    return raddle_outcome();
}
int mlock(const void *memory, size_t size) { (void)memory; (void)size; return raddle_outcome(); }
int munlock(const void *memory, size_t size) { (void)memory; (void)size; return raddle_outcome(); }
int mlockall(int flags) { (void)flags; return raddle_outcome(); }
int munlockall(void) { return 0; }
