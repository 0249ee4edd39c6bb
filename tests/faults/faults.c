/* Makes one call of libc fail that writes below a folder: preloaded, and armed by the program itself (campaign.py). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { COUNT, EIO_ONCE, ENOSPC_ONCE, ENOSPC_EVER, HALF, DIES };
enum { WRITES = 'w', FLOWS = 'r', NAMES = 'n', SYNCS = 's' }; /* writes bytes, takes room, changes a name, flushes */

static char folder[4096];
static size_t length;
static int mode;
static long wanted, seen;
static char last[64];
static char kinds[1 << 16]; /* of each call, in order; a write to a file that has no name yet is 'W' */
static int is_new;

void faults_arm(const char *below, int how, long call) {
    snprintf(folder, sizeof folder, "%s", below);
    length = strlen(folder);
    mode = how, wanted = call, seen = 0, last[0] = 0;
    memset(kinds, 0, sizeof kinds);
}

const char *faults_kinds(void) { return kinds; }
const char *faults_last(void) { return last; }

static int is_below(const char *path) { return length && !strncmp(path, folder, length); }

static int is_of(int fd) {
    char link[64], path[4096];
    if (!length) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    is_new = n > 4 && !strcmp(path + n - 4, ".new");
    return is_below(path);
}

/* The error that this call has to give, 0 for none, -1 for half of it. */
static int verdict(const char *name, int kind) {
    if (seen < (long)sizeof kinds - 1) kinds[seen] = kind == WRITES && is_new ? 'W' : (char)kind;
    seen++;
    if (mode == COUNT) return 0;
    if (mode == ENOSPC_EVER ? seen < wanted : seen != wanted) return 0;
    snprintf(last, sizeof last, "%s", name);
    switch (mode) {
    case EIO_ONCE: return EIO;
    case ENOSPC_ONCE: return ENOSPC;
    case ENOSPC_EVER: return kind == WRITES || kind == FLOWS ? ENOSPC : 0;
    case HALF: return -1;
    default: _exit(137);
    }
}

#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define FAIL(name, kind, of) \
    int error = (of) ? verdict(#name, kind) : 0; \
    if (error > 0) { errno = error; return -1; }

ssize_t write(int fd, const void *from, size_t n) {
    REAL(write);
    FAIL(write, WRITES, is_of(fd))
    if (error < 0) { real(fd, from, n / 2); errno = ENOSPC; return -1; }
    return real(fd, from, n);
}

#define PWRITE(name, offset_type) \
    ssize_t name(int fd, const void *from, size_t n, offset_type at) { \
        REAL(name); \
        FAIL(name, WRITES, is_of(fd)) \
        if (error < 0) { real(fd, from, n / 2, at); errno = ENOSPC; return -1; } \
        return real(fd, from, n, at); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define OF_FD(name, kind, parameters, arguments) \
    int name parameters { \
        REAL(name); \
        FAIL(name, kind, is_of(fd)) \
        if (error < 0) { errno = ENOSPC; return -1; } \
        return real arguments; \
    }
OF_FD(fsync, SYNCS, (int fd), (fd))
OF_FD(fdatasync, SYNCS, (int fd), (fd))
OF_FD(ftruncate, FLOWS, (int fd, off_t n), (fd, n))
OF_FD(ftruncate64, FLOWS, (int fd, off64_t n), (fd, n))

int posix_fallocate(int fd, off_t at, off_t n) {
    REAL(posix_fallocate);
    int error = is_of(fd) ? verdict("posix_fallocate", FLOWS) : 0;
    return error ? (error < 0 ? ENOSPC : error) : real(fd, at, n);
}

int posix_fallocate64(int fd, off64_t at, off64_t n) {
    REAL(posix_fallocate64);
    int error = is_of(fd) ? verdict("posix_fallocate64", FLOWS) : 0;
    return error ? (error < 0 ? ENOSPC : error) : real(fd, at, n);
}

#define OF_PATH(name, kind, path, parameters, arguments) \
    int name parameters { \
        REAL(name); \
        FAIL(name, kind, is_below(path)) \
        if (error < 0) { errno = ENOSPC; return -1; } \
        return real arguments; \
    }
OF_PATH(rename, NAMES, to, (const char *from, const char *to), (from, to))
OF_PATH(renameat, NAMES, to, (int a, const char *from, int b, const char *to), (a, from, b, to))
OF_PATH(link, FLOWS, to, (const char *from, const char *to), (from, to))
OF_PATH(linkat, FLOWS, to, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
OF_PATH(unlink, NAMES, path, (const char *path), (path))

#define OPEN(name, parameters, arguments) \
    int name parameters { \
        REAL(name); \
        mode_t bits = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); bits = va_arg(more, mode_t); va_end(more); } \
        FAIL(name, FLOWS, (flags & O_CREAT) && is_below(path) && access(path, F_OK)) \
        if (error < 0) { errno = ENOSPC; return -1; } \
        return real arguments; \
    }
OPEN(open, (const char *path, int flags, ...), (path, flags, bits))
OPEN(open64, (const char *path, int flags, ...), (path, flags, bits))
OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, bits))
OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, bits))
