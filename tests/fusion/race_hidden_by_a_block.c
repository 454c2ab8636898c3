// A block looks at y only if x is still 0; the race on y is seen only where nobody has written x before.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y, z;
void *writes_x(void *argument) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    return 0;
}
void *writes_y(void *argument) {
    y = 1;
    return 0;
}
void *looks(void *argument) {
    __VERIFIER_atomic_begin();
    if (x == 0) z = y;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, writes_x, 0);
    pthread_create(&b, 0, writes_y, 0);
    pthread_create(&c, 0, looks, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
