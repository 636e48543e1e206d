/* A LLaMA-like tokenizer (BPE with byte fallback, U+2581 for blanks) made of 512 pieces with scores, against
 * sentencepiece's way of merging by scores. */
#include "random_source.h"
#include "temp_folder.h"
#include "test_data.h"
#include "tokenizer_assert.h"
#include "tokenizer_json_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PIECES = 512 };
static char *piece[PIECES];
static float score[PIECES];

/* llama2.c's file of pieces: the length of the longest, then score, length and bytes of each, all of 32 bits. */
static void read_pieces(const char *path) {
  int32_t longest, length;
  FILE *const file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fread(&longest, 4, 1, file), 1);
  for (int i = 0; i < PIECES; i++) {
    assert_int_equal(fread(&score[i], 4, 1, file), 1);
    assert_int_equal(fread(&length, 4, 1, file), 1);
    assert_in_range(length, 1, longest);
    piece[i] = calloc((size_t)length * 3 + 1, 1); /* room for the blanks, which become three bytes */
    assert_non_null(piece[i]);
    assert_int_equal(fread(piece[i], 1, (size_t)length, file), (size_t)length);
  }
  fclose(file);
}

static int find_piece(const char *text, size_t length) {
  for (int i = PIECES - 1; i >= 0; i--) {
    if (strlen(piece[i]) == length && memcmp(piece[i], text, length) == 0) return i;
  }
  return -1;
}

/* sentencepiece's BPE, as llama2.c's run.c has it: characters, or their bytes; then the adjacent pair whose union has
 * the largest score is merged, the leftmost of several, until no union is a piece. */
static int merge_by_scores(int *ids, const char *text) {
  int count = 0;
  for (size_t at = 0, bytes; text[at] != '\0'; at += bytes) {
    for (bytes = 1; (text[at + bytes] & 0xC0) == 0x80;) bytes++;
    const int id = find_piece(text + at, bytes);
    for (size_t i = 0; i < bytes && id < 0; i++) ids[count++] = (unsigned char)text[at + i] + 3;
    if (id >= 0) ids[count++] = id;
  }
  for (;;) {
    int best = -1, merged = -1;
    for (int i = 0; i + 1 < count; i++) {
      char both[256];
      snprintf(both, sizeof both, "%s%s", piece[ids[i]], piece[ids[i + 1]]);
      const int id = find_piece(both, strlen(both));
      if (id < 0 || (best >= 0 && score[id] <= score[merged])) continue;
      best = i;
      merged = id;
    }
    if (best < 0) return count;
    ids[best] = merged;
    memmove(ids + best + 1, ids + best + 2, (size_t)(count - best - 2) * sizeof *ids);
    count--;
  }
}

/* Blanks as transformers writes them. */
static void write_blanks(char *to, const char *from) {
  for (; *from != '\0'; from++) {
    if (*from == ' ') {
      memcpy(to, "\xE2\x96\x81", 3);
      to += 3;
    } else {
      *to++ = *from;
    }
  }
  *to = '\0';
}

static int compare_merges(const void *a, const void *b) {
  const int *const x = a, *const y = b;
  return score[x[2]] != score[y[2]] ? (score[x[2]] < score[y[2]] ? 1 : -1) : (x[0] > y[0]) - (x[0] < y[0]);
}

/* The tokenizer.json that transformers makes of such pieces: every way to write a piece as two, the one with the best
 * score first. */
static void write_llama_like(void) {
  static int merge[PIECES * 64][3];
  int merges = 0;
  json_t *const vocabulary = json_object(), *const list = json_array();
  for (int i = 0; i < PIECES; i++) {
    char blanks[256];
    write_blanks(blanks, piece[i]);
    json_object_set_new(vocabulary, blanks, json_integer(i));
    for (size_t cut = 1; i >= 259 && cut < strlen(piece[i]); cut++) {
      const int left = find_piece(piece[i], cut), right = find_piece(piece[i] + cut, strlen(piece[i]) - cut);
      if (left < 0 || right < 0) continue;
      merge[merges][0] = left;
      merge[merges][1] = right;
      merge[merges++][2] = i;
    }
  }
  qsort(merge, (size_t)merges, sizeof merge[0], compare_merges);
  for (int i = 0; i < merges; i++) {
    char left[256], right[256];
    write_blanks(left, piece[merge[i][0]]);
    write_blanks(right, piece[merge[i][1]]);
    json_array_append_new(list, json_pack("[s, s]", left, right));
  }
  json_t *const model = json_pack("{s:s, s:s, s:b, s:b, s:o, s:o}", "type", "BPE", "unk_token", "<unk>", "fuse_unk", 1,
                                  "byte_fallback", 1, "vocab", vocabulary, "merges", list);
  tokenizer_json_write(&temp_folder_shared, NULL,
                       "{\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"Prepend\", \"prepend\": \"▁\"},"
                       " {\"type\": \"Replace\", \"pattern\": {\"String\": \" \"}, \"content\": \"▁\"}]}",
                       NULL, NULL, model);
}

static void assert_like_scores(const tokenizer *t, const char *text) {
  char prefixed[512];
  int expected[1024], *ids, count;
  snprintf(prefixed, sizeof prefixed, " %s", text);
  const int wanted = merge_by_scores(expected, prefixed);
  assert_int_equal(tokens_of_text(&ids, &count, t, text, strlen(text), false, NULL), ATTCERT_OK);
  for (int i = 0; i < count && i < wanted; i++) {
    if (ids[i] != expected[i]) fail_msg("\"%s\": token %d is %d, expected %d", text, i, ids[i], expected[i]);
  }
  assert_int_equal(count, wanted);
  free(ids);
}

static void llama_like(void **state) {
  (void)state;
  char path[512];
  tokenizer *t;
  read_pieces(test_data_path(path, "tokenizer/stories260K_tok512.bin"));
  write_llama_like();
  assert_int_equal(tokenizer_open(&t, temp_folder_shared.path, NULL), ATTCERT_OK);
  static const char *const texts[] = {"Once upon a time, there was a little girl named Lily.",
                                      "hello",
                                      "  two  blanks ",
                                      "tabs\tand\nlines\r\n",
                                      "grabbed",
                                      "ÿÀ é e\xCC\x81",
                                      "生活的真谛是",
                                      "🦙Ꙋ",
                                      "Ꙋ🦙 and 👨🏻‍❤️‍👨🏻",
                                      "<unk><s></s><0x0A>",
                                      "Zebra#42~|{}",
                                      "aaaaaaaaaaaaaaaaaaaaaaaaa",
                                      "\xE2\x80\x8A",
                                      "the the thethe them"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) assert_like_scores(t, texts[i]);
  random_source random = random_source_make(1, 0, 0);
  for (int trial = 0; trial < 2000; trial++) {
    char text[128];
    const int length = random_integer(&random, 1, 60);
    for (int i = 0; i < length; i++) text[i] = "etaoinshrdlu  ,.\"TOAwy"[random_integer(&random, 0, 21)];
    text[length] = '\0';
    assert_like_scores(t, text);
  }
  tokenizer_close(t);
  for (int i = 0; i < PIECES; i++) free(piece[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(llama_like)};
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
