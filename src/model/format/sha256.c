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

static attcert_status read_failure(const char *path, int error, attcert_error *err) {
  return attcert_fail(err, system_error_status(error), "%s: cannot read: %s", path, strerror(error));
}

/* The bytes from where the descriptor stands; 0 or errno. */
static int hash_bytes(struct sha256_ctx *context, int descriptor) {
  uint8_t buffer[1 << 16];
  for (;;) {
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got == 0) return 0;
    if (got < 0 && errno != EINTR) return errno;
    if (got > 0) sha256_update(context, (size_t)got, buffer);
  }
}

attcert_status sha256_file(char hex[SHA256_HEX_SIZE], const char *path, attcert_error *err) {
  int descriptor;
  do descriptor = open(path, O_RDONLY | O_CLOEXEC);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return read_failure(path, errno, err);
  struct sha256_ctx context;
  sha256_init(&context);
  const int error = hash_bytes(&context, descriptor);
  close(descriptor);
  if (error != 0) return read_failure(path, error, err);
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  write_hex(hex, digest);
  return ATTCERT_OK;
}
