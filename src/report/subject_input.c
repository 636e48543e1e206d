#include "report/subject_input.h"

#include "report/token_text.h"

#include <string.h>

enum { COLUMNS = 120, INDENT = 11, MOST = 64, GAP = 2, ENTRY_SIZE = 32 };

/* Where the next entry goes. */
typedef struct {
  FILE *out;
  int column;
} token_line;

/* An entry of that many columns is due: a gap before it, or the next line. */
static void make_room(token_line *line, int width) {
  if (line->column == INDENT) return;
  if (line->column + GAP + width > COLUMNS) {
    fprintf(line->out, "\n%*s", INDENT, "");
    line->column = INDENT;
    return;
  }
  fprintf(line->out, "%*s", GAP, "");
  line->column += GAP;
}

/* "3 good"; of a token whose text is not known its id, "3 #2204". */
static void put_token(token_line *line, const token_list *list, int i) {
  const listed_token *const token = &list->token[i];
  char number[ENTRY_SIZE];
  const char *const text = token->text != NULL ? token->text : "";
  snprintf(number, sizeof number, token->text != NULL ? "%d " : "%d #%d", i, token->id);
  const int width = (int)strlen(number) + token_text_width(text);
  make_room(line, width);
  fprintf(line->out, "%s%s", number, text);
  line->column += width;
}

static void put_omission(token_line *line, int count) {
  char text[ENTRY_SIZE];
  const int width = snprintf(text, sizeof text, "(%d more)", count);
  make_room(line, width);
  fputs(text, line->out);
  line->column += width;
}

void subject_print_tokens(FILE *out, const report_subject *s) {
  const token_list *const list = &s->input_tokens;
  const int omitted = list->count > MOST ? list->count - MOST : 0, end = omitted > 0 ? MOST / 2 : list->count;
  token_line line = {out, INDENT};
  if (list->count == 0) return;
  fprintf(out, "%-*s", INDENT, "tokens");
  for (int i = 0; i < end; i++) put_token(&line, list, i);
  if (omitted > 0) put_omission(&line, omitted);
  for (int i = end + omitted; i < list->count; i++) put_token(&line, list, i);
  fputc('\n', out);
}

void subject_write_input(json_writer *w, const report_subject *s) {
  json_write_string(w, "input", s->input);
  if (s->tokenizer[0] != '\0') {
    json_write_string(w, "tokenizer", s->tokenizer);
    json_write_integer(w, "offset", (uint64_t)s->offset);
  }
  if (s->tokenizer[0] != '\0' || s->input_tokens.special) json_write_bool(w, "special_tokens", s->input_tokens.special);
}

void subject_write_tokens(json_writer *w, const report_subject *s) {
  const token_list *const list = &s->input_tokens;
  if (list->count == 0) return;
  json_write_array(w, "tokens");
  for (int i = 0; i < list->count; i++) {
    json_write_object(w, NULL);
    json_write_integer(w, "id", (uint64_t)list->token[i].id);
    json_write_string(w, "text", list->token[i].text);
    json_write_close(w);
  }
  json_write_close(w);
}

void subject_write_file_list(json_writer *w, const char *key, const report_subject *s) {
  json_write_array(w, key);
  for (int i = 0; i < s->file_count; i++) {
    json_write_object(w, NULL);
    json_write_string(w, "role", s->files[i].role);
    json_write_string(w, "path", s->files[i].path);
    json_write_string(w, "sha256", s->files[i].sha256);
    json_write_close(w);
  }
  json_write_close(w);
}

void subject_write_files(fact_writer *f, const report_subject *s) {
  subject_write_file_list(&f->json, "inputs", s);
  subject_write_tokens(&f->json, s);
  if (f->text != NULL) subject_print_tokens(f->text, s);
  for (int i = 0; i < s->file_count; i++) fact_text(f, "sha256     %s  %s\n", s->files[i].sha256, s->files[i].path);
}

void subject_write_source(fact_writer *f, const report_subject *s) {
  subject_write_input(&f->json, s);
  json_write_close(&f->json);
  fact_text(f, "input      %s", subject_name_text(s->input));
  if (s->tokenizer[0] != '\0')
    fact_text(f, ", %d tokens from token %d on (%s%s)", s->tokens, s->offset, s->tokenizer,
              s->input_tokens.special ? ", with special tokens" : "");
  fact_text(f, "\n");
  subject_write_files(f, s);
}

void subject_write_pairs(json_writer *w, const report_subject *s) {
  if (s->pairs[0] == '\0') return;
  json_write_string(w, "pairs", s->pairs);
  json_write_string(w, "mask_file", s->mask_file);
  json_write_string(w, "bias_file", s->bias_file);
}

void subject_tell_pairs(const fact_writer *f, const report_subject *s) {
  if (s->pairs[0] != '\0') fact_text(f, "pairs      %s\n", s->pairs);
}
