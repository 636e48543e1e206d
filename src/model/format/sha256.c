/* Hashes a file through a small buffer: a mapping would count whole model files into the process's peak memory. */
#include "model/format/sha256.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

static void write_hex(char hex[SHA256_HEX_SIZE], const uint8_t digest[SHA256_DIGEST_SIZE]) {
  static const char digit[] = "0123456789abcdef";
  for (size_t i = 0; i < SHA256_DIGEST_SIZE; i++) {
    hex[2 * i] = digit[digest[i] >> 4];
    hex[2 * i + 1] = digit[digest[i] & 15];
  }
  hex[SHA256_HEX_SIZE - 1] = '\0';
}

attcert_status sha256_file(char hex[SHA256_HEX_SIZE], const char *path, attcert_error *err) {
  FILE *const stream = fopen(path, "r");
  if (stream == NULL) return attcert_fail(err, ATTCERT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  struct sha256_ctx context;
  sha256_init(&context);
  uint8_t buffer[1 << 16];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, stream)) > 0) sha256_update(&context, got, buffer);
  const int error = ferror(stream) ? errno : 0;
  fclose(stream);
  if (error != 0) return attcert_fail(err, ATTCERT_INPUT, "%s: cannot read: %s", path, strerror(error));
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  write_hex(hex, digest);
  return ATTCERT_OK;
}
