#include "report/robust/robust_moved.h"

#include "report/number_text.h"
#include "report/robust/robust_parts.h"

#include <math.h>

enum { MOST_TOLD = 6, DISTANCE_DIGITS = 4 };

/* || X'_i - X_i ||_2. */
static double distance_of(const robust_facts *r, int i) {
  const attcert_matrix *const from = r->ball->input, *const to = &r->verdict->counterexample;
  const size_t first = (size_t)i * (size_t)from->cols;
  double distance = 0.0;
  for (int c = 0; c < from->cols; c++)
    distance = hypot(distance, to->data[first + (size_t)c] - from->data[first + (size_t)c]);
  return distance;
}

static const char *text_of(const robust_facts *r, int i) {
  const token_list *const list = &r->subject->input_tokens;
  return i < list->count ? list->token[i].text : NULL;
}

/* The token that moved farthest among those that moved less than `below`, or as far and stand behind `before`; -1: none
 * moved. */
static int next_farthest(const robust_facts *r, double below, int before) {
  int found = -1;
  double farthest = 0.0;
  for (int i = 0; i < r->ball->input->rows; i++) {
    const double distance = distance_of(r, i);
    if (distance > farthest && (distance < below || (distance == below && i > before))) {
      farthest = distance;
      found = i;
    }
  }
  return found;
}

static void put_json(json_writer *w, const robust_facts *r) {
  json_write_array(w, "moved");
  for (int i = 0; i < r->ball->input->rows; i++) {
    const double distance = distance_of(r, i);
    if (distance == 0.0) continue;
    json_write_object(w, NULL);
    robust_parts_label_json(w, "token", "text", i, text_of(r, i));
    json_write_double(w, "distance", distance, MPFR_RNDN);
    json_write_close(w);
  }
  json_write_close(w);
}

void robust_moved_write(fact_writer *f, const robust_facts *r) {
  char number[NUMBER_TEXT_SIZE];
  double below = INFINITY;
  int told = 0, i = -1;
  if (r->verdict->counterexample.data == NULL) return;
  put_json(&f->json, r);
  if (f->text == NULL || r->ball->input->rows == 1) return;
  while (told < MOST_TOLD && (i = next_farthest(r, below, i)) >= 0) {
    below = distance_of(r, i);
    robust_parts_label(f, told++ == 0 ? "moved      " : ", ", i, text_of(r, i));
    fact_text(f, " by %s", number_text_double(number, below, DISTANCE_DIGITS, MPFR_RNDN));
  }
  if (told == 0) return;
  fact_text(f, next_farthest(r, below, i) >= 0 ? ", others less\n" : "\n");
}
