/* "did you mean": the name nearest to one that is not known. */
#ifndef ATTCERT_CLI_OPTIONS_OPTION_SUGGEST_H
#define ATTCERT_CLI_OPTIONS_OPTION_SUGGEST_H

enum { OPTION_SUGGESTION_SIZE = 64 };

/* ", did you mean 'PREFIX NAME'?", without the space, for the nearest of count names (NULLs are passed over); "" where
 * none is near: where more than a third of its letters, and more than one, are to be changed, inserted, left out or
 * swapped with the next. */
const char *option_suggest(char text[OPTION_SUGGESTION_SIZE], const char *wrong, const char *prefix,
                           const char *const *names, int count);

#endif
