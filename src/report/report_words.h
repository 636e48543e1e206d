/* Which tokens move in a region, as reports say it. */
#ifndef ATTCERT_REPORT_REPORT_WORDS_H
#define ATTCERT_REPORT_REPORT_WORDS_H

#include "ball/region/ball_region.h"
#include "report/json_writer.h"
#include "report/token_list.h"

/* Whether all of the tokens do. */
bool report_words_all(const ball_region *region, int tokens);

/* "1, 3: good, bad": numbers, then the texts where the list (NULL: none) has all of them. */
void report_words_text(FILE *out, const ball_region *region, int tokens, const token_list *list);

/* "words": "all" or [1, 3] */
void report_words_json(json_writer *w, const ball_region *region, int tokens);

#endif
