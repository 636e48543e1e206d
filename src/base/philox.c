/* Philox4x32-10: ten rounds of two 32 x 32 -> 64 bit products; the key's halves step by the Weyl constants. */
#include "base/philox.h"

static philox_block round_once(philox_block c, uint32_t key_lo, uint32_t key_hi) {
  const uint64_t p = UINT64_C(0xD2511F53) * c.word[0];
  const uint64_t q = UINT64_C(0xCD9E8D57) * c.word[2];
  return (philox_block){
      {(uint32_t)(q >> 32) ^ c.word[1] ^ key_lo, (uint32_t)q, (uint32_t)(p >> 32) ^ c.word[3] ^ key_hi, (uint32_t)p}};
}

philox_block philox_4x32(philox_block counter, uint64_t key) {
  uint32_t key_lo = (uint32_t)key, key_hi = (uint32_t)(key >> 32);
  for (int i = 0; i < 10; i++) {
    counter = round_once(counter, key_lo, key_hi);
    key_lo += UINT32_C(0x9E3779B9); /* the golden ratio */
    key_hi += UINT32_C(0xBB67AE85); /* sqrt(3) - 1 */
  }
  return counter;
}
