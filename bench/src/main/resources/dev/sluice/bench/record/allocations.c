/*
 * Counts what libcrypto and libssl allocate. Loaded by LD_PRELOAD, so that it is there before OpenSSL allocates
 * anything, which CRYPTO_set_mem_functions asks for; the counters lie in a file that another process maps.
 *
 *   SLUICE_COUNT_LIBRARY   the libcrypto to count in
 *   SLUICE_COUNT_FILE      at least 24 bytes, int64 each: allocations, bytes allocated and not freed, bytes allocated
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct counters {
    int64_t allocations;
    int64_t live_bytes;
    int64_t allocated_bytes;
};

static struct counters *counters;

static void allocated(size_t bytes, int64_t growth) {
    __atomic_add_fetch(&counters->allocations, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&counters->live_bytes, growth, __ATOMIC_RELAXED);
    __atomic_add_fetch(&counters->allocated_bytes, (int64_t)bytes, __ATOMIC_RELAXED);
}

static void *counting_malloc(size_t size, const char *file, int line) {
    (void)file, (void)line;
    void *memory = size == 0 ? 0 : malloc(size);
    if (memory) allocated(size, (int64_t)malloc_usable_size(memory));
    return memory;
}

static void counting_free(void *memory, const char *file, int line) {
    (void)file, (void)line;
    if (memory) __atomic_sub_fetch(&counters->live_bytes, (int64_t)malloc_usable_size(memory), __ATOMIC_RELAXED);
    free(memory);
}

static void *counting_realloc(void *memory, size_t size, const char *file, int line) {
    if (size == 0) {
        counting_free(memory, file, line);
        return 0;
    }
    int64_t before = memory ? (int64_t)malloc_usable_size(memory) : 0;
    void *moved = realloc(memory, size);
    if (moved) allocated(size, (int64_t)malloc_usable_size(moved) - before);
    return moved;
}

typedef int set_functions(void *(*)(size_t, const char *, int), void *(*)(void *, size_t, const char *, int),
    void (*)(void *, const char *, int));

__attribute__((constructor)) static void install(void) {
    const char *library = getenv("SLUICE_COUNT_LIBRARY"), *file = getenv("SLUICE_COUNT_FILE");
    if (!library || !file) return; /* inherited by a process that is none of our business */
    int descriptor = open(file, O_RDWR | O_CLOEXEC);
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    set_functions *set = handle ? (set_functions *)dlsym(handle, "CRYPTO_set_mem_functions") : 0;
    counters = descriptor < 0 ? MAP_FAILED
                              : mmap(0, sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (!set || counters == MAP_FAILED || !set(counting_malloc, counting_realloc, counting_free)) _exit(97);
    close(descriptor);
}
