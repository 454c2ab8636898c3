// pwd.h, netdb.h, ifaddrs.h: records that are found, in memory of the caller or of their own. Names from outside have up to 15 characters.

typedef __SIZE_TYPE__ size_t;

_Bool __raddle_nondet_bool(void);
unsigned char __raddle_nondet_uchar(void);
unsigned __raddle_nondet_uint(void);
void __raddle_assume(int condition);
void *__raddle_malloc(unsigned long size);
void __raddle_free(void *p);
int *__errno_location(void);

enum { RADDLE_ERANGE = 34, RADDLE_NAME = 16 };

static int raddle_any_error(void) { return (int)(__raddle_nondet_uint() & 127) + 1; }

static char *raddle_name(char *to) {
    for (int i = 0; i < RADDLE_NAME - 1; i++)
        to[i] = (char)__raddle_nondet_uchar();
    to[RADDLE_NAME - 1] = 0;
    __raddle_assume(to[0] != 0);
    return to;
}

struct raddle_user {
    char *name, *password;
    unsigned user, group;
    char *about, *home, *shell;
};

// The strings lie in the buffer. Zero without a record means that there is none.
static int raddle_find_user(struct raddle_user *record, char *buffer, size_t room, struct raddle_user **result) {
    *result = 0;
    if (!__raddle_nondet_uint())
        return raddle_any_error();
    if (!__raddle_nondet_bool())
        return 0;
    if (room < 5 * RADDLE_NAME)
        return RADDLE_ERANGE;
    record->name = raddle_name(buffer);
    record->password = raddle_name(buffer + RADDLE_NAME);
    record->user = __raddle_nondet_uint();
    record->group = __raddle_nondet_uint();
    record->about = raddle_name(buffer + 2 * RADDLE_NAME);
    record->home = raddle_name(buffer + 3 * RADDLE_NAME);
    record->shell = raddle_name(buffer + 4 * RADDLE_NAME);
    *result = record;
    return 0;
}

int getpwnam_r(const char *name, struct raddle_user *record, char *buffer, size_t room, struct raddle_user **result) {
    (void)name;
    return raddle_find_user(record, buffer, room, result);
}

int getpwuid_r(unsigned user, struct raddle_user *record, char *buffer, size_t room, struct raddle_user **result) {
    (void)user;
    return raddle_find_user(record, buffer, room, result);
}

struct raddle_host {
    char *name, **aliases;
    int family, length;
    char **addresses;
};

// One address of IPv4: behind the name come the pointers, and then what they point to.
int gethostbyname_r(const char *name, struct raddle_host *record, char *buffer, size_t room, struct raddle_host **result, int *error) {
    (void)name;
    *result = 0;
    if (!__raddle_nondet_uint()) {
        *error = (int)(__raddle_nondet_uint() & 3) + 1;
        return __raddle_nondet_bool() ? 0 : raddle_any_error();
    }
    size_t lost = (sizeof(char *) - (unsigned long)buffer % sizeof(char *)) % sizeof(char *);
    if (room < lost + 3 * sizeof(char *) + RADDLE_NAME + 4) {
        *error = -1;
        return RADDLE_ERANGE;
    }
    char **pointers = (char **)(buffer + lost);
    char *text = (char *)(pointers + 3), *address = text + RADDLE_NAME;
    pointers[0] = address;
    pointers[1] = 0;
    pointers[2] = 0;
    for (int i = 0; i < 4; i++)
        address[i] = (char)__raddle_nondet_uchar();
    record->name = raddle_name(text);
    record->aliases = pointers + 2;
    record->family = 2;
    record->length = 4;
    record->addresses = pointers;
    *result = record;
    return 0;
}

struct raddle_interface {
    struct raddle_interface *next;
    char *name;
    unsigned flags;
    void *address, *mask, *other;
    void *data;
};

static void *raddle_any_address(void) {
    unsigned char *address = __raddle_malloc(16);
    for (int i = 0; i < 16; i++)
        address[i] = i == 0 ? 2 : i == 1 ? 0 : __raddle_nondet_uchar();
    return address;
}

// None or one interface, with or without an address.
int getifaddrs(struct raddle_interface **result) {
    if (!__raddle_nondet_uint()) {
        *__errno_location() = raddle_any_error();
        return -1;
    }
    *result = 0;
    if (__raddle_nondet_bool())
        return 0;
    struct raddle_interface *one = __raddle_malloc(sizeof *one);
    one->next = 0;
    one->name = raddle_name(__raddle_malloc(RADDLE_NAME));
    one->flags = __raddle_nondet_uint() & 0xffff;
    int has_address = __raddle_nondet_bool();
    one->address = has_address ? raddle_any_address() : 0;
    one->mask = has_address ? raddle_any_address() : 0;
    one->other = has_address ? raddle_any_address() : 0;
    one->data = 0;
    *result = one;
    return 0;
}

void freeifaddrs(struct raddle_interface *list) {
    while (list) {
        struct raddle_interface *next = list->next;
        __raddle_free(list->name);
        __raddle_free(list->address);
        __raddle_free(list->mask);
        __raddle_free(list->other);
        __raddle_free(list);
        list = next;
    }
}
