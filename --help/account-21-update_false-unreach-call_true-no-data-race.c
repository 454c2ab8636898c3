/* account(21): 20 customers of one bank account and a checker. */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int balance = 100;
int deposits;
int withdrawals;

static void deposit(int amount)
{
    pthread_mutex_lock(&lock);
    balance = balance + amount;
    deposits = deposits + amount;
    pthread_mutex_unlock(&lock);
}

static void withdraw(int amount)
{
    pthread_mutex_lock(&lock);
    if (balance >= amount) {
        balance = balance - amount;
        withdrawals = withdrawals + amount;
    }
    pthread_mutex_unlock(&lock);
}

static void *customer(void *argument)
{
    int number = (int)(long)argument;
    deposit(10 + number);
    withdraw(5 + number);
    return 0;
}

static void *careless(void *argument)
{
    int amount = 10 + (int)(long)argument;
    pthread_mutex_lock(&lock);
    int seen = balance;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    balance = seen + amount; /* what the others did meanwhile is lost */
    deposits = deposits + amount;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *checker(void *argument)
{
    (void)argument;
    pthread_mutex_lock(&lock);
    assert(balance == 100 + deposits - withdrawals);
    assert(balance >= 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t thread[21];
    pthread_create(&thread[0], 0, customer, (void *)0L);
    pthread_create(&thread[1], 0, customer, (void *)1L);
    pthread_create(&thread[2], 0, customer, (void *)2L);
    pthread_create(&thread[3], 0, customer, (void *)3L);
    pthread_create(&thread[4], 0, customer, (void *)4L);
    pthread_create(&thread[5], 0, customer, (void *)5L);
    pthread_create(&thread[6], 0, customer, (void *)6L);
    pthread_create(&thread[7], 0, customer, (void *)7L);
    pthread_create(&thread[8], 0, customer, (void *)8L);
    pthread_create(&thread[9], 0, customer, (void *)9L);
    pthread_create(&thread[10], 0, customer, (void *)10L);
    pthread_create(&thread[11], 0, customer, (void *)11L);
    pthread_create(&thread[12], 0, customer, (void *)12L);
    pthread_create(&thread[13], 0, customer, (void *)13L);
    pthread_create(&thread[14], 0, customer, (void *)14L);
    pthread_create(&thread[15], 0, customer, (void *)15L);
    pthread_create(&thread[16], 0, customer, (void *)16L);
    pthread_create(&thread[17], 0, customer, (void *)17L);
    pthread_create(&thread[18], 0, customer, (void *)18L);
    pthread_create(&thread[19], 0, careless, (void *)19L);
    pthread_create(&thread[20], 0, checker, 0);
    for (int i = 0; i < 21; i++)
        pthread_join(thread[i], 0);
    assert(balance == 100 + deposits - withdrawals);
    return 0;
}
