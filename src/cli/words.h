/* A list of words, as --words takes it: indices from 0 with a comma between them. */
#ifndef ATTCERT_WORDS_H
#define ATTCERT_WORDS_H

/* The index at *text, which moves behind it and a comma; -1: there is none, or something else follows it. */
long words_next(const char **text);

#endif
