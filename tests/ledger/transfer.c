//! Two threads move money between accounts while a third one adds them up. Its properties are proved one after the other, within a second or two.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int savings = 900, checking;

static void *transfer(void *arg) {
    for (int i = 0; i < 4000; i++) {
        pthread_mutex_lock(&lock);
        savings -= 2;
        checking += 2;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *audit(void *arg) {
    for (int i = 0; i < 4000; i++) {
        pthread_mutex_lock(&lock);
        int total = savings + checking;
        pthread_mutex_unlock(&lock);
        assert(total == 900);
    }
    return arg;
}

int main(void) {
    pthread_t first, second, auditor;
    pthread_create(&first, 0, transfer, 0);
    pthread_create(&second, 0, transfer, 0);
    pthread_create(&auditor, 0, audit, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_join(auditor, 0);
    assert(checking == 16000);
    return 0;
}
