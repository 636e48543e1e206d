#include "report/robust/robust_answer.h"

#include "report/robust/robust_parts.h"
#include "robust/signs.h"

/* The label of a class; -1: no single one. */
static int label_of(const robust_facts *r, int class_number) {
  const int label = robust_signs_label(r->network, class_number);
  return r->network->each_sign && class_number == 0 ? r->label : label;
}

static const char *name_of(const robust_facts *r, int label) {
  return label_names_at(&r->head->names, label);
}

static void put_label(const fact_writer *f, const char *lead, const robust_facts *r, int label) {
  robust_parts_label(f, lead, label, name_of(r, label));
}

static void put_named(json_writer *w, const char *key, const char *name_key, const robust_facts *r, int label) {
  robust_parts_label_json(w, key, name_key, label, name_of(r, label));
}

/* The rival, where a bound names one, and the end of the line. */
static void put_closest(const fact_writer *f, const char *lead, const robust_facts *r, const char *rest) {
  const int rival = r->verdict->center.rival;
  if (rival >= 0) put_label(f, lead, r, label_of(r, rival));
  fact_text(f, "%s\n", rival >= 0 ? rest : "");
}

static void put_signs(fact_writer *f, const robust_facts *r) {
  json_write_array(&f->json, "answer");
  for (int c = 1; c < robust_network_classes(r->network); c++) {
    const int label = label_of(r, c);
    const bool positive = r->network->signs.sign[label] > 0.0;
    json_write_object(&f->json, NULL);
    put_named(&f->json, "label", "label_name", r, label);
    json_write_bool(&f->json, "positive", positive);
    json_write_close(&f->json);
    fact_text(f, c == 1 ? "signs      " : ", ");
    put_label(f, positive ? "+ " : "- ", r, label);
  }
  json_write_close(&f->json);
  put_closest(f, "; that of ", r, " is the closest to changing");
}

void robust_answer_write(fact_writer *f, const robust_facts *r) {
  char text[MODEL_HEAD_TEXT_SIZE];
  const int label = label_of(r, r->verdict->center.label), rival = label_of(r, r->verdict->center.rival);
  json_write_string(&f->json, "head", model_head_text(text, r->head, r->network->token));
  fact_text(f, "head       %s\n", text);
  json_write_integer(&f->json, "token", (uint64_t)r->network->token);
  put_named(&f->json, "label", "label_name", r, label);
  put_named(&f->json, "rival", "rival_name", r, rival);
  if (r->network->each_sign) {
    put_signs(f, r);
    return;
  }
  put_label(f, "label      ", r, label);
  put_closest(f, ", class ", r, " is the closest");
}

void robust_answer_write_refuted(fact_writer *f, const robust_facts *r) {
  const int label = label_of(r, r->verdict->counterexample_rival);
  put_named(&f->json, "refuted_label", "refuted_label_name", r, label);
  put_label(f, r->network->each_sign ? "; there the sign is another of " : "; there a higher score has ", r, label);
  fact_text(f, "\n");
}
