#include "randomized/randomized_bits.h"

#include "base/philox.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

/* Philox4x32-10 on the number of the block. */
static void draw_from_seed(randomized_bits *bits, uint64_t *words, size_t count) {
  for (size_t i = 0; i < count; i += 2) {
    const philox_block counter = {{(uint32_t)bits->drawn, (uint32_t)(bits->drawn >> 32), 0, 0}};
    const philox_block block = philox_4x32(counter, bits->seed);
    bits->drawn++;
    for (size_t half = 0; half < 2 && i + half < count; half++)
      words[i + half] = (uint64_t)block.word[2 * half + 1] << 32 | block.word[2 * half];
  }
}

attcert_status randomized_bits_draw(randomized_bits *bits, uint64_t *words, size_t count, attcert_error *err) {
  if (bits->seeded) {
    draw_from_seed(bits, words, count);
    return ATTCERT_OK;
  }
  unsigned char *to = (unsigned char *)words;
  size_t left = count * sizeof *words;
  while (left > 0) {
    const ssize_t got = getrandom(to, left, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return attcert_fail(err, ATTCERT_RESOURCE, "random bits of the system: %s", strerror(errno));
    to += got;
    left -= (size_t)got;
  }
  return ATTCERT_OK;
}
