// math.h as far as the IR has it; the rest of it is left to "a function without a body".

double fabs(double x) { return __builtin_fabs(x); }
float fabsf(float x) { return __builtin_fabsf(x); }
double sqrt(double x) { return __builtin_sqrt(x); }
float sqrtf(float x) { return __builtin_sqrtf(x); }
double floor(double x) { return __builtin_floor(x); }
double ceil(double x) { return __builtin_ceil(x); }
double trunc(double x) { return __builtin_trunc(x); }
double round(double x) { return __builtin_round(x); }
double fmod(double x, double y) { return __builtin_fmod(x, y); }
double fmax(double x, double y) { return x != x ? y : y != y ? x : x < y ? y : x; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }
int __isnan(double x) { return x != x; }
int __isinf(double x) { return x == x && x - x != x - x ? (x > 0 ? 1 : -1) : 0; }
int __finite(double x) { return x - x == x - x; }
int __signbit(double x) { return __builtin_signbit(x) != 0; }
