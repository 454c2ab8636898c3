// The functions of the verification competition. Atomic blocks (`__VERIFIER_atomic_begin`, `_end` and
// functions with the prefix `__VERIFIER_atomic_`) belong to the front end.

typedef __SIZE_TYPE__ size_t;

void __raddle_assume(int condition);
void __raddle_error(const char *message);
_Noreturn void __raddle_abort(void);
_Bool __raddle_nondet_bool(void);
char __raddle_nondet_char(void);
unsigned char __raddle_nondet_uchar(void);
short __raddle_nondet_short(void);
unsigned short __raddle_nondet_ushort(void);
int __raddle_nondet_int(void);
unsigned __raddle_nondet_uint(void);
long __raddle_nondet_long(void);
unsigned long __raddle_nondet_ulong(void);
long long __raddle_nondet_llong(void);
unsigned long long __raddle_nondet_ullong(void);
__int128 __raddle_nondet_i128(void);
unsigned __int128 __raddle_nondet_u128(void);
float __raddle_nondet_float(void);
double __raddle_nondet_double(void);
void *__raddle_nondet_ptr(void);

_Bool __VERIFIER_nondet_bool(void) { return __raddle_nondet_bool(); }
_Bool __VERIFIER_nondet__Bool(void) { return __raddle_nondet_bool(); }
char __VERIFIER_nondet_char(void) { return __raddle_nondet_char(); }
signed char __VERIFIER_nondet_schar(void) { return (signed char)__raddle_nondet_char(); }
unsigned char __VERIFIER_nondet_uchar(void) { return __raddle_nondet_uchar(); }
short __VERIFIER_nondet_short(void) { return __raddle_nondet_short(); }
unsigned short __VERIFIER_nondet_ushort(void) { return __raddle_nondet_ushort(); }
unsigned short __VERIFIER_nondet_u16(void) { return __raddle_nondet_ushort(); }
int __VERIFIER_nondet_int(void) { return __raddle_nondet_int(); }
unsigned __VERIFIER_nondet_uint(void) { return __raddle_nondet_uint(); }
unsigned __VERIFIER_nondet_unsigned(void) { return __raddle_nondet_uint(); }
unsigned __VERIFIER_nondet_unsigned_int(void) { return __raddle_nondet_uint(); }
unsigned __VERIFIER_nondet_u32(void) { return __raddle_nondet_uint(); }
unsigned char __VERIFIER_nondet_u8(void) { return __raddle_nondet_uchar(); }
unsigned char __VERIFIER_nondet_unsigned_char(void) { return __raddle_nondet_uchar(); }
long __VERIFIER_nondet_long(void) { return __raddle_nondet_long(); }
unsigned long __VERIFIER_nondet_ulong(void) { return __raddle_nondet_ulong(); }
unsigned long __VERIFIER_nondet_pthread_t(void) { return __raddle_nondet_ulong(); }
size_t __VERIFIER_nondet_size_t(void) { return (size_t)__raddle_nondet_ulong(); }
long long __VERIFIER_nondet_longlong(void) { return __raddle_nondet_llong(); }
long long __VERIFIER_nondet_loff_t(void) { return __raddle_nondet_llong(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return __raddle_nondet_ullong(); }
unsigned long __VERIFIER_nondet_sector_t(void) { return __raddle_nondet_ulong(); }
__int128 __VERIFIER_nondet_int128(void) { return __raddle_nondet_i128(); }
unsigned __int128 __VERIFIER_nondet_uint128(void) { return __raddle_nondet_u128(); }
float __VERIFIER_nondet_float(void) { return __raddle_nondet_float(); }
double __VERIFIER_nondet_double(void) { return __raddle_nondet_double(); }
void *__VERIFIER_nondet_pointer(void) { return __raddle_nondet_ptr(); }
char *__VERIFIER_nondet_pchar(void) { return __raddle_nondet_ptr(); }
char *__VERIFIER_nondet_charp(void) { return __raddle_nondet_ptr(); }
const char *__VERIFIER_nondet_const_char_pointer(void) { return __raddle_nondet_ptr(); }

void __VERIFIER_nondet_memory(void *memory, size_t size) {
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        bytes[i] = __raddle_nondet_uchar();
}

void __VERIFIER_assume(int condition) { __raddle_assume(condition); }

void __VERIFIER_assert(int condition) {
    if (!condition) {
        __raddle_error("assertion failed");
        __raddle_abort();
    }
}

_Noreturn void reach_error(void) {
    __raddle_error("reach_error was called");
    __raddle_abort();
}

_Noreturn void __VERIFIER_error(void) {
    __raddle_error("__VERIFIER_error was called");
    __raddle_abort();
}
