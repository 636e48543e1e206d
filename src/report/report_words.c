#include "report/report_words.h"

bool report_words_all(const ball_region *region, int tokens) {
  return ball_region_count(region, tokens) == tokens;
}

static bool has_texts(const ball_region *region, int tokens, const token_list *list) {
  for (int i = 0; i < tokens; i++) {
    if (ball_region_moves(region, i) && (list == NULL || i >= list->count || list->token[i].text == NULL)) return false;
  }
  return true;
}

void report_words_text(FILE *out, const ball_region *region, int tokens, const token_list *list) {
  const char *separator = "";
  for (int i = 0; i < tokens; i++) {
    if (!ball_region_moves(region, i)) continue;
    fprintf(out, "%s%d", separator, i);
    separator = ", ";
  }
  if (!has_texts(region, tokens, list)) return;
  separator = ": ";
  for (int i = 0; i < tokens; i++) {
    if (!ball_region_moves(region, i)) continue;
    fprintf(out, "%s%s", separator, list->token[i].text);
    separator = ", ";
  }
}

void report_words_json(json_writer *w, const ball_region *region, int tokens) {
  if (report_words_all(region, tokens)) {
    json_write_string(w, "words", "all");
    return;
  }
  json_write_array(w, "words");
  for (int i = 0; i < tokens; i++) {
    if (ball_region_moves(region, i)) json_write_integer(w, NULL, (uint64_t)i);
  }
  json_write_close(w);
}
