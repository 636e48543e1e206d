#include "base/memory.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Smaller blocks are not worth a large page, of 2 MiB mostly. */
enum { LARGE_BLOCK = 1 << 22 };

uint64_t memory_available(void) {
  unsigned long long kib = 0;
  char line[128];
  FILE *const file = fopen("/proc/meminfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "MemAvailable: %llu kB", &kib) != 1) {
  }
  if (file != NULL) fclose(file);
  if (kib != 0) return (uint64_t)kib * 1024;
  const long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

uint64_t memory_peak(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

void memory_prefer_large_pages(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)block % page, whole = before + bytes;
  if (bytes >= LARGE_BLOCK) madvise((char *)block - before, (whole + page - 1) / page * page, MADV_HUGEPAGE);
#else
  (void)block;
  (void)bytes;
#endif
}
