// What check-library puts in place of builtins that gcc would turn into calls of the functions under test.
double machine_round(double x), machine_floor(double x), machine_ceil(double x), machine_trunc(double x), machine_sqrt(double x);
float machine_sqrtf(float x);
double machine_fmod(double x, double y);
