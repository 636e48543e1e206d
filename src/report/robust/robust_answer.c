#include "report/robust/robust_answer.h"

#include "robust/signs.h"

static const char *name_of(const robust_report *r, int label) {
  return label_names_at(&r->head->names, label);
}

/* The label of a class; -1: no single one. */
static int label_of(const robust_report *r, int class_number) {
  const int label = robust_signs_label(r->network, class_number);
  return r->network->each_sign && class_number == 0 ? r->label : label;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* "1 (positive)"; a name keeps to its line. */
static void put_label(FILE *out, const robust_report *r, int label) {
  const char *name = name_of(r, label);
  fprintf(out, "%d", label);
  if (name == NULL) return;
  fputs(" (", out);
  for (; *name != '\0'; name++) fputc((unsigned char)*name < ' ' || *name == '\177' ? '?' : *name, out);
  fputc(')', out);
}

static void put_signs(FILE *out, const robust_report *r) {
  const char *separator = "";
  fputs("signs      ", out);
  for (int c = 1; c < robust_network_classes(r->network); c++) {
    const int label = label_of(r, c);
    fprintf(out, "%s%c ", separator, r->network->signs.sign[label] > 0.0 ? '+' : '-');
    put_label(out, r, label);
    separator = ", ";
  }
  fputs("; that of ", out);
  put_label(out, r, label_of(r, r->verdict->center.rival));
  fputs(" is the closest to changing\n", out);
}

void robust_answer_text(FILE *out, const robust_report *r) {
  const robust_gradient *const center = &r->verdict->center;
  char text[MODEL_HEAD_TEXT_SIZE];
  fprintf(out, "head       %s\n", model_head_text(text, r->head, r->network->token));
  if (r->network->each_sign) {
    put_signs(out, r);
    return;
  }
  fputs("label      ", out);
  put_label(out, r, center->label);
  fputs(", class ", out);
  put_label(out, r, center->rival);
  fputs(" is the closest\n", out);
}

void robust_answer_refuted_text(FILE *out, const robust_report *r) {
  fputs(r->network->each_sign ? "; there the sign is another of " : "; there a higher score has ", out);
  put_label(out, r, label_of(r, r->verdict->counterexample_rival));
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

/* NAME and NAME_name; null: no single label, no name. */
static void put_named(json_writer *w, const char *key, const char *name_key, const robust_report *r, int label) {
  if (label >= 0)
    json_write_integer(w, key, (uint64_t)label);
  else
    json_write_null(w, key);
  json_write_string(w, name_key, name_of(r, label));
}

static void put_answer(json_writer *w, const robust_report *r) {
  json_write_array(w, "answer");
  for (int c = 1; c < robust_network_classes(r->network); c++) {
    const int label = label_of(r, c);
    json_write_object(w, NULL);
    put_named(w, "label", "label_name", r, label);
    json_write_bool(w, "positive", r->network->signs.sign[label] > 0.0);
    json_write_close(w);
  }
  json_write_close(w);
}

void robust_answer_json(json_writer *w, const robust_report *r) {
  const robust_gradient *const center = &r->verdict->center;
  char text[MODEL_HEAD_TEXT_SIZE];
  json_write_string(w, "head", model_head_text(text, r->head, r->network->token));
  json_write_integer(w, "token", (uint64_t)r->network->token);
  put_named(w, "label", "label_name", r, label_of(r, center->label));
  put_named(w, "rival", "rival_name", r, label_of(r, center->rival));
  if (r->network->each_sign) put_answer(w, r);
}

void robust_answer_refuted_json(json_writer *w, const robust_report *r) {
  put_named(w, "refuted_label", "refuted_label_name", r, label_of(r, r->verdict->counterexample_rival));
}
