/* The distance is that of optimal string alignment: insertions, deletions, substitutions and swaps of neighbours (F. J.
 * Damerau, 1964). */
#include "cli/options/option_suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 31 };

static int least(int a, int b) {
  return a < b ? a : b;
}

static int distance(const char *a, const char *b) {
  const int m = (int)strlen(a), n = (int)strlen(b);
  int d[LONGEST + 1][LONGEST + 1];
  if (m > LONGEST || n > LONGEST) return LONGEST;
  for (int i = 0; i <= m; i++) d[i][0] = i;
  for (int j = 0; j <= n; j++) d[0][j] = j;
  for (int i = 1; i <= m; i++) {
    for (int j = 1; j <= n; j++) {
      d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(d[i - 1][j], d[i][j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[m][n];
}

static bool is_near(int changes, const char *name) {
  const int allowed = (int)strlen(name) / 3;
  return changes <= (allowed > 1 ? allowed : 1);
}

const char *option_suggest(char text[OPTION_SUGGESTION_SIZE], const char *wrong, const char *prefix,
                           const char *const *names, int count) {
  const char *nearest = NULL;
  int fewest = LONGEST;
  for (int i = 0; i < count; i++) {
    if (names[i] == NULL) continue;
    const bool begins = strlen(wrong) > 1 && strncmp(wrong, names[i], strlen(wrong)) == 0;
    const int changes = begins ? 1 : distance(wrong, names[i]);
    if (changes >= fewest || !is_near(changes, names[i])) continue;
    fewest = changes;
    nearest = names[i];
  }
  text[0] = '\0';
  if (nearest != NULL) snprintf(text, OPTION_SUGGESTION_SIZE, ", did you mean '%s%s'?", prefix, nearest);
  return text;
}
