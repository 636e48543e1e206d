/* The end of a stream of open_memstream. */
#ifndef ATTCERT_BASE_MEMORY_STREAM_H
#define ATTCERT_BASE_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/* Closes it. true: *text has all that was written, to be released with free; false: memory has run out, and *text is
 * NULL. */
bool memory_stream_close(FILE *stream, char **text);

#endif
