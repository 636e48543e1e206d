#include "vnnlib/vnnlib_unpack.h"

#include "base/arrays.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

enum { GZIP = 16 + MAX_WBITS, FIRST_SIZE = 1 << 16 };

bool vnnlib_is_packed(const unsigned char *bytes, size_t size) {
  return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

/* Twice the room, at most INT_MAX. */
static attcert_status grow(char **text, size_t *room, attcert_error *err) {
  if (*room == INT_MAX) return attcert_fail(err, ATTCERT_INPUT, "more than 2^31 bytes of text, expected fewer");
  const size_t more = *room > INT_MAX / 2 ? INT_MAX : 2 * *room;
  char *const larger = realloc(*text, more);
  if (larger == NULL) return array_out_of_memory(err, more, "a text that is unpacked");
  *text = larger;
  *room = more;
  return ATTCERT_OK;
}

static attcert_status inflate_all(char **text, size_t *length, z_stream *z, attcert_error *err) {
  size_t room = FIRST_SIZE;
  *text = array_new(room, 1, err, "a text that is unpacked");
  if (*text == NULL) return ATTCERT_RESOURCE;
  for (*length = 0;;) {
    z->next_out = (unsigned char *)*text + *length;
    z->avail_out = (unsigned)(room - *length);
    const int got = inflate(z, Z_NO_FLUSH);
    *length = room - z->avail_out;
    if (got == Z_STREAM_END && z->avail_in == 0) return ATTCERT_OK;
    if (got == Z_MEM_ERROR) return array_out_of_memory(err, 0, "zlib");
    if (got != Z_OK || z->avail_out > 0)
      return attcert_fail(err, ATTCERT_INPUT, "a gzip file that is damaged, or not one alone");
    const attcert_status status = grow(text, &room, err);
    if (status != ATTCERT_OK) return status;
  }
}

attcert_status vnnlib_unpack(char **text, size_t *length, const unsigned char *bytes, size_t size, attcert_error *err) {
  z_stream z = {.next_in = (z_const unsigned char *)bytes, .avail_in = (unsigned)size};
  *text = NULL;
  *length = 0;
  if (size > INT_MAX) return attcert_fail(err, ATTCERT_INPUT, "%zu bytes, expected fewer than 2^31", size);
  if (inflateInit2(&z, GZIP) != Z_OK) return array_out_of_memory(err, 0, "zlib");
  const attcert_status status = inflate_all(text, length, &z, err);
  inflateEnd(&z);
  if (status == ATTCERT_OK) return status;
  free(*text);
  *text = NULL;
  return status;
}
