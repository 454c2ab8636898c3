// math.h. What the IR or a few steps on the bits can do is exact. Transcendental functions are exact at the points that everybody knows, else they
// return any value within the range of the function, a new one for each call.

double __raddle_nondet_double(void);
void __raddle_assume(int condition);
int *__errno_location(void);

enum { RADDLE_EDOM = 33, RADDLE_ERANGE = 34 };

union raddle_double {
    double value;
    unsigned long long bits;
};

union raddle_float {
    float value;
    unsigned bits;
};

static unsigned long long raddle_bits(double x) {
    union raddle_double u;
    u.value = x;
    return u.bits;
}

static double raddle_of_bits(unsigned long long bits) {
    union raddle_double u;
    u.bits = bits;
    return u.value;
}

static double raddle_domain(void) {
    *__errno_location() = RADDLE_EDOM;
    return -__builtin_nan("");
}

static double raddle_range(double result) {
    *__errno_location() = RADDLE_ERANGE;
    return result;
}

// Parts and roundings

double fabs(double x) { return __builtin_fabs(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
long double fabsl(long double x) { return __builtin_fabsl(x); }
double floor(double x) { return __builtin_floor(x); }
double ceil(double x) { return __builtin_ceil(x); }
double trunc(double x) { return __builtin_trunc(x); }
double round(double x) { return __builtin_round(x); }
float floorf(float x) { return (float)__builtin_floor(x); }
float ceilf(float x) { return (float)__builtin_ceil(x); }
float truncf(float x) { return (float)__builtin_trunc(x); }
float roundf(float x) { return (float)__builtin_round(x); }

double copysign(double x, double y) {
    return raddle_of_bits((raddle_bits(x) & ~(1ull << 63)) | (raddle_bits(y) & 1ull << 63));
}

float copysignf(float x, float y) {
    union raddle_float a, b;
    a.value = x;
    b.value = y;
    a.bits = (a.bits & 0x7fffffffu) | (b.bits & 0x80000000u);
    return a.value;
}

// To the nearest integer, halves to the even one.
double rint(double x) {
    double below = __builtin_floor(x), rest = x - below;
    if (!(x - x == 0.0))
        return x + x;
    double half = below / 2.0;
    double result = rest > 0.5 || (rest == 0.5 && __builtin_floor(half) != half) ? below + 1.0 : below;
    return copysign(result, x);
}

float rintf(float x) { return (float)rint(x); }
double nearbyint(double x) { return rint(x); }
float nearbyintf(float x) { return (float)rint(x); }
double roundeven(double x) { return rint(x); }

// What does not fit into the result is the smallest number on this machine.
static long long raddle_to_integer(double x) {
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (long long)x : -9223372036854775807ll - 1;
}

static long raddle_to_long(double x) {
    return sizeof(long) == 8                        ? (long)raddle_to_integer(x)
           : x >= -2147483648.0 && x < 2147483648.0 ? (long)x
                                                    : (long)(-2147483647 - 1);
}

long lround(double x) { return raddle_to_long(__builtin_round(x)); }
long lroundf(float x) { return raddle_to_long(__builtin_round(x)); }
long long llround(double x) { return raddle_to_integer(__builtin_round(x)); }
long long llroundf(float x) { return raddle_to_integer(__builtin_round(x)); }
long lrint(double x) { return raddle_to_long(rint(x)); }
long lrintf(float x) { return raddle_to_long(rint(x)); }
long long llrint(double x) { return raddle_to_integer(rint(x)); }
long long llrintf(float x) { return raddle_to_integer(rint(x)); }

double modf(double x, double *whole) {
    *whole = __builtin_trunc(x);
    return copysign(x - x == 0.0 ? x - *whole : x == x ? 0.0 : x + x, x);
}

float modff(float x, float *whole) {
    double part;
    float rest = (float)modf(x, &part);
    *whole = (float)part;
    return rest;
}

double frexp(double x, int *exponent) {
    *exponent = 0;
    if (x == 0.0 || x - x != 0.0)
        return x + x;
    int more = 0;
    if ((raddle_bits(x) >> 52 & 2047) == 0) {
        x *= 18014398509481984.0; // 2^54
        more = -54;
    }
    unsigned long long bits = raddle_bits(x);
    *exponent = (int)(bits >> 52 & 2047) - 1022 + more;
    return raddle_of_bits((bits & ~(2047ull << 52)) | 1022ull << 52);
}

float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }

// 2 to a power between -1022 and 1023.
static double raddle_power_of_two(int n) { return raddle_of_bits((unsigned long long)(n + 1023) << 52); }

// At most one of these products is rounded.
static double raddle_scale(double x, long n) {
    if (x == 0.0 || x - x != 0.0)
        return x + x;
    if (n > 2200)
        n = 2200;
    if (n < -2200)
        n = -2200;
    int exponent;
    double fraction = frexp(x, &exponent); // at least one half
    exponent += (int)n;
    if (exponent > 1024)
        return copysign(__builtin_inf(), x);
    if (exponent < -1074)
        return copysign(0.0, x);
    if (exponent >= -1021)
        return fraction * 2.0 * raddle_power_of_two(exponent - 1);
    return fraction * raddle_power_of_two(exponent + 60) * raddle_power_of_two(-60);
}

double scalbln(double x, long n) {
    double result = raddle_scale(x, n);
    if (x - x == 0.0 && ((result - result != 0.0) || (result == 0.0 && x != 0.0)))
        *__errno_location() = RADDLE_ERANGE;
    return result;
}

double scalbn(double x, int n) { return scalbln(x, n); }
double ldexp(double x, int n) { return scalbln(x, n); }

float ldexpf(float x, int n) {
    int exponent;
    if (x == 0.0f || x - x != 0.0f)
        return x + x;
    frexp(x, &exponent);
    // A float has few enough digits for one rounding to be the right one.
    float result = (float)raddle_scale(x, n > 400 ? 400 : n < -400 ? -400 : n);
    if (result - result != 0.0f || result == 0.0f)
        *__errno_location() = RADDLE_ERANGE;
    return result;
}

float scalbnf(float x, int n) { return ldexpf(x, n); }

int ilogb(double x) {
    int exponent;
    if (x == 0.0 || x != x) {
        *__errno_location() = RADDLE_EDOM;
        return -2147483647 - 1;
    }
    if (x - x != 0.0) {
        *__errno_location() = RADDLE_EDOM;
        return 2147483647;
    }
    frexp(x, &exponent);
    return exponent - 1;
}

double logb(double x) {
    int exponent;
    if (x == 0.0)
        return -__builtin_inf();
    if (x - x != 0.0)
        return x * x;
    frexp(x, &exponent);
    return (double)(exponent - 1);
}

double nextafter(double x, double y) {
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return copysign(raddle_of_bits(1), y);
    unsigned long long bits = raddle_bits(x);
    double result = raddle_of_bits((x < y) == (x > 0.0) ? bits + 1 : bits - 1);
    if (result - result != 0.0 || (raddle_bits(result) >> 52 & 2047) == 0)
        *__errno_location() = RADDLE_ERANGE;
    return result;
}

double nan(const char *text) { (void)text; return __builtin_nan(""); }

int __isnan(double x) { return x != x; }
int __isinf(double x) { return x == x && x - x != x - x ? (x > 0 ? 1 : -1) : 0; }
int __finite(double x) { return x - x == x - x; }
int __signbit(double x) { return __builtin_signbit(x) != 0; }
int __isnanf(float x) { return x != x; }
int __isinff(float x) { return __isinf(x); }
int __finitef(float x) { return x - x == x - x; }
int __signbitf(float x) { return __builtin_signbit(x) != 0; }
int isnan(double x) { return x != x; }
int isinf(double x) { return __isinf(x); }
int finite(double x) { return x - x == x - x; }

// FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4
int __fpclassify(double x) {
    return x != x ? 0 : x - x != 0.0 ? 1 : x == 0.0 ? 2 : (raddle_bits(x) >> 52 & 2047) == 0 ? 3 : 4;
}

int __fpclassifyf(float x) {
    union raddle_float u;
    u.value = x;
    return x != x ? 0 : x - x != 0.0f ? 1 : x == 0.0f ? 2 : (u.bits >> 23 & 255) == 0 ? 3 : 4;
}

// Arithmetic

double sqrt(double x) {
    if (x < 0.0)
        return raddle_domain();
    return __builtin_sqrt(x);
}

float sqrtf(float x) {
    if (x < 0.0f)
        return (float)raddle_domain();
    return __builtin_sqrtf(x);
}

double fmod(double x, double y) {
    if ((y == 0.0 && x == x) || (x == x && x - x != 0.0 && y == y))
        return raddle_domain();
    return __builtin_fmod(x, y);
}

float fmodf(float x, float y) { return (float)fmod(x, y); }

double fdim(double x, double y) {
    if (x != x || y != y)
        return x + y;
    if (x <= y)
        return 0.0;
    double result = x - y;
    if (result - result != 0.0 && x - x == 0.0 && y - y == 0.0)
        *__errno_location() = RADDLE_ERANGE;
    return result;
}

double fmax(double x, double y) { return x != x ? y : y != y ? x : x < y ? y : x; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x < y ? y : x; }
float fminf(float x, float y) { return x != x ? y : y != y ? x : x < y ? x : y; }

// Any value between two bounds.
static double raddle_between(double low, double high) {
    double any = __raddle_nondet_double();
    __raddle_assume(any >= low && any <= high);
    return any;
}

static double raddle_not_nan(void) {
    double any = __raddle_nondet_double();
    __raddle_assume(any == any);
    return any;
}

static int raddle_is_integer(double y) { return y - y == 0.0 && __builtin_floor(y) == y; }

// Exact where all intermediate products are integers of at most 53 bits. Infinities and zeros as IEEE 754 has them.
double pow(double x, double y) {
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (x != x || y != y)
        return x + y;
    if (y == 1.0)
        return x;
    int whole = raddle_is_integer(y), odd = whole && fmod(y, 2.0) != 0.0;
    if (x == 0.0) {
        double result = y > 0.0 ? 0.0 : y - y != 0.0 ? __builtin_inf() : raddle_range(__builtin_inf());
        return odd ? copysign(result, x) : result;
    }
    if (y - y != 0.0) {
        double size = __builtin_fabs(x);
        return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? __builtin_inf() : 0.0;
    }
    if (x - x != 0.0) {
        double result = y > 0.0 ? __builtin_inf() : 0.0;
        return odd && x < 0.0 ? -result : result;
    }
    if (x < 0.0 && !whole)
        return raddle_domain();
    if (x == -1.0)
        return odd ? -1.0 : 1.0;
    if (whole && y >= -64.0 && y <= 64.0 && raddle_is_integer(x)) {
        double product = 1.0, limit = 9007199254740992.0;
        int n = (int)(y < 0.0 ? -y : y);
        for (; n > 0 && product <= limit && product >= -limit; n--)
            product *= x;
        int exponent;
        if (n == 0 && product <= limit && product >= -limit) {
            if (y > 0.0)
                return product;
            if (__builtin_fabs(frexp(product, &exponent)) == 0.5)
                return 1.0 / product;
        }
    }
    if (x == 2.0 && whole && y >= -1074.0 && y <= 1023.0)
        return raddle_scale(1.0, (long)y);
    if (x < 0.0)
        return odd ? raddle_between(-__builtin_inf(), 0.0) : raddle_between(0.0, __builtin_inf());
    if ((x > 1.0) == (y > 0.0))
        return raddle_between(1.0, __builtin_inf());
    return raddle_between(0.0, 1.0);
}

double exp(double x) {
    if (x != x)
        return x;
    if (x == 0.0)
        return 1.0;
    if (x > 709.79)
        return x - x == 0.0 ? raddle_range(__builtin_inf()) : x;
    if (x < -745.14)
        return x - x == 0.0 ? raddle_range(0.0) : 0.0;
    return x > 0.0 ? raddle_between(1.0, x < 709.78 ? 1.7976931348623157e308 : __builtin_inf()) : raddle_between(0.0, 1.0);
}

double exp2(double x) {
    if (raddle_is_integer(x) && x >= -1074.0 && x <= 1023.0)
        return raddle_scale(1.0, (long)x);
    if (x != x)
        return x;
    if (x >= 1024.0)
        return x - x == 0.0 ? raddle_range(__builtin_inf()) : x;
    if (x < -1075.0)
        return x - x == 0.0 ? raddle_range(0.0) : 0.0;
    return x > 0.0 ? raddle_between(1.0, 1.7976931348623157e308) : raddle_between(0.0, 1.0);
}

double expm1(double x) {
    if (x != x || x == 0.0)
        return x;
    return x > 0.0 ? raddle_between(0.0, __builtin_inf()) : raddle_between(-1.0, 0.0);
}

// A logarithm to a base: of what is not positive, and of infinities.
static int raddle_log_is_special(double x, double *result) {
    if (x != x || (x > 0.0 && x - x != 0.0))
        *result = x;
    else if (x == 0.0)
        *result = raddle_range(-__builtin_inf());
    else if (x < 0.0)
        *result = raddle_domain();
    else if (x == 1.0)
        *result = 0.0;
    else
        return 0;
    return 1;
}

double log(double x) {
    double special;
    if (raddle_log_is_special(x, &special))
        return special;
    return x > 1.0 ? raddle_between(0.0, 709.79) : raddle_between(-744.45, 0.0);
}

double log2(double x) {
    double special;
    int exponent;
    if (raddle_log_is_special(x, &special))
        return special;
    if (frexp(x, &exponent) == 0.5)
        return (double)(exponent - 1);
    return raddle_between((double)(exponent - 1), (double)exponent);
}

double log10(double x) {
    double special;
    if (raddle_log_is_special(x, &special))
        return special;
    return x > 1.0 ? raddle_between(0.0, 308.26) : raddle_between(-323.31, 0.0);
}

double log1p(double x) {
    if (x != x || x == 0.0 || (x > 0.0 && x - x != 0.0))
        return x;
    if (x == -1.0)
        return raddle_range(-__builtin_inf());
    if (x < -1.0)
        return raddle_domain();
    return x > 0.0 ? raddle_between(0.0, 709.79) : raddle_between(-36.8, 0.0);
}

double sin(double x) { return x == 0.0 || x != x ? x : x - x != 0.0 ? raddle_domain() : raddle_between(-1.0, 1.0); }
double cos(double x) { return x == 0.0 ? 1.0 : x != x ? x : x - x != 0.0 ? raddle_domain() : raddle_between(-1.0, 1.0); }
double tan(double x) { return x == 0.0 || x != x ? x : x - x != 0.0 ? raddle_domain() : raddle_between(-1.7e308, 1.7e308); }

void sincos(double x, double *sine, double *cosine) {
    *sine = sin(x);
    *cosine = cos(x);
}

double asin(double x) {
    return x == 0.0 || x != x ? x : __builtin_fabs(x) > 1.0 ? raddle_domain() : raddle_between(-1.5707963267948966, 1.5707963267948966);
}

double acos(double x) {
    return x == 1.0 ? 0.0 : x != x ? x : __builtin_fabs(x) > 1.0 ? raddle_domain() : raddle_between(0.0, 3.1415926535897931);
}

double atan(double x) { return x == 0.0 || x != x ? x : raddle_between(-1.5707963267948966, 1.5707963267948966); }

double atan2(double y, double x) {
    if (x != x || y != y)
        return x + y;
    if (y == 0.0)
        return copysign(x > 0.0 || (x == 0.0 && !__builtin_signbit(x)) ? 0.0 : 3.1415926535897931, y);
    return y > 0.0 ? raddle_between(0.0, 3.1415926535897931) : raddle_between(-3.1415926535897931, 0.0);
}

double sinh(double x) { return x == 0.0 || x - x != 0.0 ? x : x > 0.0 ? raddle_between(0.0, __builtin_inf()) : raddle_between(-__builtin_inf(), 0.0); }
double cosh(double x) { return x == 0.0 ? 1.0 : x != x ? x : raddle_between(1.0, __builtin_inf()); }
double tanh(double x) { return x == 0.0 || x != x ? x : raddle_between(-1.0, 1.0); }
double asinh(double x) { return x == 0.0 || x - x != 0.0 ? x : raddle_between(-711.0, 711.0); }

double acosh(double x) {
    return x == 1.0 ? 0.0 : x != x ? x : x < 1.0 ? raddle_domain() : raddle_between(0.0, __builtin_inf());
}

double atanh(double x) {
    if (x == 0.0 || x != x)
        return x;
    if (__builtin_fabs(x) > 1.0)
        return raddle_domain();
    if (__builtin_fabs(x) == 1.0)
        return raddle_range(copysign(__builtin_inf(), x));
    return raddle_between(-20.0, 20.0);
}

double hypot(double x, double y) {
    if (x - x != 0.0 && x == x)
        return __builtin_inf();
    if (y - y != 0.0 && y == y)
        return __builtin_inf();
    if (x != x || y != y)
        return x + y;
    if (x == 0.0 || y == 0.0)
        return __builtin_fabs(x) + __builtin_fabs(y);
    return raddle_between(0.0, __builtin_inf());
}

double cbrt(double x) {
    if (x == 0.0 || x - x != 0.0)
        return x + x;
    return x > 0.0 ? raddle_between(0.0, 1e103) : raddle_between(-1e103, 0.0);
}

double erf(double x) { return x == 0.0 || x != x ? x : raddle_between(-1.0, 1.0); }
double erfc(double x) { return x == 0.0 ? 1.0 : x != x ? x : raddle_between(0.0, 2.0); }

float powf(float x, float y) { return (float)pow(x, y); }
float expf(float x) { return (float)exp(x); }
float exp2f(float x) { return (float)exp2(x); }
float logf(float x) { return (float)log(x); }
float log2f(float x) { return (float)log2(x); }
float log10f(float x) { return (float)log10(x); }
float sinf(float x) { return (float)sin(x); }
float cosf(float x) { return (float)cos(x); }
float tanf(float x) { return (float)tan(x); }
float asinf(float x) { return (float)asin(x); }
float acosf(float x) { return (float)acos(x); }
float atanf(float x) { return (float)atan(x); }
float atan2f(float y, float x) { return (float)atan2(y, x); }
float tanhf(float x) { return (float)tanh(x); }
float hypotf(float x, float y) { return (float)hypot(x, y); }
float cbrtf(float x) { return (float)cbrt(x); }
