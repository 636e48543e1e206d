/* See token_pipeline.h. */
#include "model/tokenizer/pipeline/token_pipeline.h"

#include <stdio.h>
#include <string.h>

void token_pipeline_note_file(token_pipeline *p, const char *path, const char *sha256) {
  pipeline_file *const file = &p->file[p->file_count++];
  snprintf(file->path, sizeof file->path, "%s", path);
  snprintf(file->sha256, sizeof file->sha256, "%s", sha256);
}

void token_pipeline_close(token_pipeline *p) {
  added_tokens_clear(&p->added);
  component_list_close(p->normalizer);
  component_list_close(p->pretokenizer);
  token_model_close(p->model);
}

const char *token_pipeline_piece(const token_pipeline *p, int id) {
  const added_token *const added = added_tokens_with_id(&p->added, id);
  return added != NULL ? added->content : vocabulary_token(token_model_vocabulary(p->model), id);
}

/* ---- encoding ---------------------------------------------------------------------------------------------------- */

static attcert_status encode_pieces(const token_pipeline *p, token_window *out, const char *text, size_t length,
                                    bool at_start, attcert_error *err) {
  piece_list pieces = {.count = 0};
  attcert_status status = pretokenizer_split(&pieces, p->pretokenizer, text, length, at_start, err);
  for (size_t i = 0; status == ATTCERT_OK && i < pieces.count && !token_window_full(out); i++) {
    size_t bytes;
    const char *const piece = piece_list_get(&bytes, &pieces, i);
    status = token_model_encode(p->model, out, piece, bytes, err);
  }
  piece_list_clear(&pieces);
  return status;
}

static attcert_status encode_normal(const token_pipeline *p, token_window *out, const normal_text *normal,
                                    attcert_error *err) {
  section_list sections = {.count = 0};
  attcert_status status = added_tokens_cut(&sections, &p->added, true, normal->text.data, normal->text.length, err);
  for (size_t i = 0; status == ATTCERT_OK && i < sections.count && !token_window_full(out); i++) {
    const text_section *const s = &sections.section[i];
    status = s->token != NULL ? token_window_push(out, s->token->id, err)
                              : encode_pieces(p, out, normal->text.data + s->start, s->end - s->start,
                                              normal->at_start && s->start == 0, err);
  }
  section_list_clear(&sections);
  return status;
}

static attcert_status encode_section(const token_pipeline *p, token_window *out, const char *text, size_t length,
                                     bool at_start, attcert_error *err) {
  normal_text normal = {.at_start = at_start};
  attcert_status status = text_builder_append(&normal.text, text, length, err);
  if (status == ATTCERT_OK) status = normalizer_apply(p->normalizer, &normal, err);
  if (status == ATTCERT_OK) status = encode_normal(p, out, &normal, err);
  text_builder_clear(&normal.text);
  return status;
}

/* The parts do not know what the text is called. */
static attcert_status name_text(attcert_status status, const text_view *text, attcert_error *err) {
  if (status != ATTCERT_INPUT || err == NULL) return status;
  const attcert_error said = *err;
  return attcert_fail(err, ATTCERT_INPUT, "%s: %s", text->name, said.message);
}

attcert_status token_pipeline_encode(const token_pipeline *p, token_window *out, const text_view *text,
                                     attcert_error *err) {
  section_list sections = {.count = 0};
  attcert_status status = added_tokens_cut(&sections, &p->added, false, text->data, text->length, err);
  for (size_t i = 0; status == ATTCERT_OK && i < sections.count && !token_window_full(out); i++) {
    const text_section *const s = &sections.section[i];
    status = s->token != NULL ? token_window_push(out, s->token->id, err)
                              : encode_section(p, out, text->data + s->start, s->end - s->start, s->start == 0, err);
  }
  section_list_clear(&sections);
  return name_text(status, text, err);
}
