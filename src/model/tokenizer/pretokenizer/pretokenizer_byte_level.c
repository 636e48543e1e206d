/* ByteLevel, GPT-2's pre-tokenisation (Radford et al. 2019; openai/gpt-2, encoder.py): the text is cut into the
 * successive matches of
 *
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 *
 * (a word carries the blank before it; use_regex = false: it is not cut), and every byte of a piece becomes the symbol
 * that the vocabulary has for it. add_prefix_space: a blank is put before a text that does not begin with one.
 * trim_offsets changes no tokens. */
#include "base/arrays.h"
#include "model/tokenizer/pretokenizer/pretokenizer_kind.h"
#include "model/tokenizer/text/byte_symbol.h"
#include "model/tokenizer/text/pattern.h"

#include <stdlib.h>

typedef struct {
  bool add_prefix_space, use_regex;
  pattern words;
} byte_level;

static void byte_level_close(void *settings) {
  byte_level *const b = settings;
  pattern_clear(&b->words);
  free(b);
}

static attcert_status byte_level_open(void **settings, const component *c, attcert_error *err) {
  static const char words[] = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
  byte_level *const b = array_new(1, sizeof *b, err, "a pre-tokenizer");
  bool trim_offsets;
  if (b == NULL) return ATTCERT_RESOURCE;
  *b = (byte_level){.add_prefix_space = true, .use_regex = true};
  attcert_status status = component_bool(&b->add_prefix_space, c, "add_prefix_space", err);
  if (status == ATTCERT_OK) status = component_bool(&b->use_regex, c, "use_regex", err);
  if (status == ATTCERT_OK) status = component_bool(&trim_offsets, c, "trim_offsets", err);
  if (status == ATTCERT_OK) status = pattern_compile(&b->words, words, c, err);
  if (status == ATTCERT_OK)
    *settings = b;
  else
    byte_level_close(b);
  return status;
}

static attcert_status add_symbols(piece_list *out, const char *text, const text_span *span, attcert_error *err) {
  text_builder symbols = {0};
  attcert_status status = byte_symbols_spell(&symbols, text + span->start, span->end - span->start, err);
  if (status == ATTCERT_OK) status = piece_list_add(out, symbols.data, symbols.length, err);
  text_builder_clear(&symbols);
  return status;
}

static attcert_status cut(piece_list *out, const byte_level *b, const char *text, size_t length, attcert_error *err) {
  span_list spans = {0};
  attcert_status status =
      b->use_regex ? pattern_spans(&spans, &b->words, text, length, err) : span_list_finish(&spans, length, err);
  for (size_t i = 0; status == ATTCERT_OK && i < spans.count; i++) status = add_symbols(out, text, &spans.span[i], err);
  span_list_clear(&spans);
  return status;
}

static attcert_status byte_level_split(const void *settings, piece_list *out, const char *text, size_t length,
                                       bool at_start, attcert_error *err) {
  const byte_level *const b = settings;
  (void)at_start;
  if (length == 0 || !b->add_prefix_space || text[0] == ' ') return cut(out, b, text, length, err);
  text_builder prefixed = {0};
  attcert_status status = text_builder_append(&prefixed, " ", 1, err);
  if (status == ATTCERT_OK) status = text_builder_append(&prefixed, text, length, err);
  if (status == ATTCERT_OK) status = cut(out, b, prefixed.data, prefixed.length, err);
  text_builder_clear(&prefixed);
  return status;
}

const pretokenizer_kind pretokenizer_byte_level = {
    {"ByteLevel", (const char *const[]){"add_prefix_space", "use_regex", "trim_offsets", NULL}, byte_level_open,
     byte_level_close},
    byte_level_split};
