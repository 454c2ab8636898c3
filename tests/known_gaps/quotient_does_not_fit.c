//! Should be false(no-div-zero), is true: INT_MIN / -1: `raddle explain no-div-zero` says it is covered.
#include <limits.h>
int main(){ int m=INT_MIN; int d=-1; return m/d; }
