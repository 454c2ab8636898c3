// Compares addresses as text, the generators whose state belongs to the caller, and raw terminals with the C library of this machine: part of library.c.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>

const char *P_inet_ntop(int family, const void *address, char *to, unsigned room);
int P_inet_pton(int family, const char *text, void *to);
int P_inet_aton(const char *text, struct in_addr *to);
int P_srand48_r(long seed, struct drand48_data *state);
int P_lrand48_r(struct drand48_data *state, long *result);
int P_mrand48_r(struct drand48_data *state, long *result);
int P_drand48_r(struct drand48_data *state, double *result);
void P_cfmakeraw(struct termios *t);

static void check_addresses(void) {
    for (int round = 0; round < 200000; round++) {
        unsigned address = (unsigned)rand() * 2u + (unsigned)(rand() & 1);
        if (round % 3 == 0)
            address &= 0x0f00ff01;
        char mine[16] = "", theirs[16] = "";
        unsigned room = 5 + (unsigned)rand() % 12;
        const char *a = P_inet_ntop(AF_INET, &address, mine, room), *b = inet_ntop(AF_INET, &address, theirs, room);
        assert(!a == !b && (!a || !strcmp(mine, theirs)));
    }
    for (int round = 0; round < 300000; round++) {
        char text[20];
        int n = 1 + rand() % 15;
        for (int i = 0; i < n; i++)
            text[i] = "0123456789..... xXaf"[rand() % (round % 2 ? 15 : 20)];
        if (round % 3 == 0)
            n = sprintf(text, "%d.%d.%d.%d", rand() % 300, rand() % 260, rand() % 12, rand() % 256);
        text[n] = 0;
        unsigned mine = 7, theirs = 7;
        assert(P_inet_pton(AF_INET, text, &mine) == inet_pton(AF_INET, text, &theirs) && mine == theirs);
        struct in_addr a = {7}, b = {7};
        int x = P_inet_aton(text, &a), y = inet_aton(text, &b);
        if (x != y || a.s_addr != b.s_addr)
            printf("inet_aton '%s': %d %x but %d %x\n", text, x, a.s_addr, y, b.s_addr);
        assert(x == y && a.s_addr == b.s_addr);
    }
}

static void check_generators(void) {
    for (long seed = -3; seed < 1000; seed += 7) {
        struct drand48_data mine, theirs;
        memset(&mine, 0, sizeof mine);
        memset(&theirs, 0, sizeof theirs);
        if (seed > 0) {
            P_srand48_r(seed * seed, &mine);
            srand48_r(seed * seed, &theirs);
        }
        for (int i = 0; i < 50; i++) {
            long a, b;
            double x, y;
            P_lrand48_r(&mine, &a);
            lrand48_r(&theirs, &b);
            assert(a == b);
            P_mrand48_r(&mine, &a);
            mrand48_r(&theirs, &b);
            assert(a == b);
            P_drand48_r(&mine, &x);
            drand48_r(&theirs, &y);
            assert(x == y);
        }
    }
}

void check_network(void) {
    check_addresses();
    check_generators();
    for (int round = 0; round < 100; round++) {
        struct termios mine, theirs;
        memset(&mine, rand() & 255, sizeof mine);
        theirs = mine;
        P_cfmakeraw(&mine);
        cfmakeraw(&theirs);
        assert(!memcmp(&mine, &theirs, sizeof mine));
    }
}
