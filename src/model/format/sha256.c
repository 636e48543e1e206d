/* Hashes a file through a small buffer: a mapping would count whole model files into the process's peak memory. */
#include "model/format/sha256.h"

#include "base/system_error.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <string.h>
#include <unistd.h>

static void write_hex(char hex[SHA256_HEX_SIZE], const uint8_t digest[SHA256_DIGEST_SIZE]) {
  static const char digit[] = "0123456789abcdef";
  for (size_t i = 0; i < SHA256_DIGEST_SIZE; i++) {
    hex[2 * i] = digit[digest[i] >> 4];
    hex[2 * i + 1] = digit[digest[i] & 15];
  }
  hex[SHA256_HEX_SIZE - 1] = '\0';
}

attcert_status sha256_descriptor(char hex[SHA256_HEX_SIZE], int descriptor, const char *path, attcert_error *err) {
  struct sha256_ctx context;
  uint8_t buffer[1 << 16], digest[SHA256_DIGEST_SIZE];
  off_t at = 0;
  sha256_init(&context);
  for (;;) {
    const ssize_t got = pread(descriptor, buffer, sizeof buffer, at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return attcert_fail(err, system_error_status(errno), "%s: cannot read: %s", path, strerror(errno));
    if (got == 0) break;
    sha256_update(&context, (size_t)got, buffer);
    at += got;
  }
  sha256_digest(&context, sizeof digest, digest);
  write_hex(hex, digest);
  return ATTCERT_OK;
}

void sha256_bytes(char hex[SHA256_HEX_SIZE], const void *bytes, size_t size) {
  struct sha256_ctx context;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&context);
  sha256_update(&context, size, bytes);
  sha256_digest(&context, sizeof digest, digest);
  write_hex(hex, digest);
}
