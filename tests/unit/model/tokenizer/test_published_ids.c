/* Token ids that others published, through the old files and through a folder with tokenizer.json alone. The texts and
 * ids of both tables are from the tests of huggingface/transformers.js (test_strings.js, test_tokenization_bert.js,
 * test_tokenization_gpt2.js), which Python's transformers generated; a few of BERT's are from the tests of
 * elixir-nx/bumblebee ("[MASK]", bert_tokenizer_test.exs) and the quick tour of huggingface/tokenizers ("y'all"). */
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

typedef struct {
  const char *text;
  int length; /* bytes: one text holds a NUL */
  int ids[48];
  int count;
} published_text;

static const published_text bert_uncased[] = {
    {"How are you doing?", 18, {101, 2129, 2024, 2017, 2725, 1029, 102}, 7},
    {"You should've done this", 23, {101, 2017, 2323, 1005, 2310, 2589, 2023, 102}, 8},
    {"The company was founded in 2016.", 32, {101, 1996, 2194, 2001, 2631, 1999, 2355, 1012, 102}, 9},
    {"A\n'll !!to?'d''d of, can't.",
     27,
     {101,  1037, 1005, 2222, 999,  999,  2000, 1029, 1005, 1040,
      1005, 1005, 1040, 1997, 1010, 2064, 1005, 1056, 1012, 102},
     20},
    {"def main():\n\tpass", 17, {101, 13366, 2364, 1006, 1007, 1024, 3413, 102}, 8},
    {"let a = obj.toString();\ntoString();",
     35,
     {101,  2292, 1037, 1027, 27885, 3501, 1012, 2000, 3367, 4892,
      1006, 1007, 1025, 2000, 3367,  4892, 1006, 1007, 1025, 102},
     20},
    {"This\n\nis\na\ntest.", 16, {101, 2023, 2003, 1037, 3231, 1012, 102}, 7},
    {"UNwant\303\251d,running", 17, {101, 18162, 1010, 2770, 102}, 5},
    {"1\0002\357\277\2753", 7, {101, 13138, 102}, 3},
    {"Hello World", 11, {101, 7592, 2088, 102}, 4},
    {"hello world", 11, {101, 7592, 2088, 102}, 4},
    {"\347\224\237\346\264\273\347\232\204\347\234\237\350\260\233\346\230\257",
     18,
     {101, 1910, 100, 1916, 1921, 100, 100, 102},
     8},
    {"   leading space", 16, {101, 2877, 2686, 102}, 4},
    {"trailing space   ", 17, {101, 12542, 2686, 102}, 4},
    {"Hi  Hello", 9, {101, 7632, 7592, 102}, 4},
    {"test $1 R2 #3 \342\202\2544 \302\2435 \302\2456 \342\202\2437 \342\202\2718 \342\202\2619 test",
     46,
     {101,   3231, 1002, 1015, 1054, 2475, 1001, 1017, 1574, 2549,
      27813, 1071, 2575, 100,  1576, 2620, 1575, 2683, 3231, 102},
     20},
    {"I bought an apple for $1.00 at the store.",
     41,
     {101, 1045, 4149, 2019, 6207, 2005, 1002, 1015, 1012, 4002, 2012, 1996, 3573, 1012, 102},
     15},
    {"you\342\200\246  ", 8, {101, 2017, 1529, 102}, 4},
    {"you\342\200\246\302\240\302\240", 10, {101, 2017, 1529, 102}, 4},
    {"you\342\200\246\302\240\302\240you\342\200\246\302\240\302\240", 20, {101, 2017, 1529, 2017, 1529, 102}, 6},
    {"weird \357\275\236 edge \357\275\236 case", 23, {101, 6881, 1995, 3341, 1995, 2553, 102}, 7},
    {"\342\226\201This \342\226\201is \342\226\201a \342\226\201test \342\226\201.",
     31,
     {101, 100, 100, 100, 100, 100, 1012, 102},
     8},
    {"\360\237\230\202 \360\237\221\215 \360\237\244\243 \360\237\230\215 \360\237\230\255 \360\237\216\211 "
     "\360\237\231\217 \360\237\230\212 \360\237\224\245 \360\237\230\201 \360\237\230\205 \360\237\244\227 "
     "\360\237\230\206 \360\237\221\217 \342\235\244\357\270\217 \360\237\222\234 \360\237\222\232 \360\237\222\227 "
     "\360\237\222\231 \360\237\226\244 \360\237\230\216 \360\237\221\214 \360\237\245\263 \360\237\222\252 "
     "\342\234\250 \360\237\221\211 \360\237\221\200 \360\237\222\257 \360\237\216\210 \360\237\231\210 "
     "\360\237\231\214 \360\237\222\200 \360\237\221\207 \360\237\221\213 \342\234\205 \360\237\216\201 "
     "\360\237\214\236 \360\237\214\270 \360\237\222\260",
     194,
     {101, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100,
      100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 102},
     41},
    {"ah\345\215\232\346\216\250zz", 10, {101, 6289, 1786, 100, 1062, 2480, 102}, 7},
    {"H\303\251llo", 6, {101, 7592, 102}, 3},
    {" \tHeLLo!how  \n Are yoU?  ", 25, {101, 7592, 999, 2129, 2024, 2017, 1029, 102}, 8},
    {" \tH\303\244LLo!how  \n Are yoU?  ", 26, {101, 2534, 2080, 999, 2129, 2024, 2017, 1029, 102}, 9},
    {"Test sentence with [MASK].", 26, {101, 3231, 6251, 2007, 103, 1012, 102}, 7},
    {"embeddings", 10, {101, 7861, 8270, 4667, 2015, 102}, 6},
    {"Hello, World!", 13, {101, 7592, 1010, 2088, 999, 102}, 6},
    {"Pay Rs.5000", 11, {101, 3477, 12667, 1012, 13509, 102}, 6},
    {"123456", 6, {101, 13138, 19961, 2575, 102}, 5},
    {"Hello, y'all! How are you \360\237\230\201 ?",
     32,
     {101, 7592, 1010, 1061, 1005, 2035, 999, 2129, 2024, 2017, 100, 1029, 102},
     13},
};

static const published_text gpt2[] = {
    {"How are you doing?", 18, {2437, 389, 345, 1804, 30}, 5},
    {"You should've done this", 23, {1639, 815, 1053, 1760, 428}, 5},
    {"0123456789 0 1 2 3 4 5 6 7 8 9 10 100 1000",
     42,
     {486, 1954, 2231, 3134, 4531, 657, 352, 362, 513, 604, 642, 718, 767, 807, 860, 838, 1802, 8576},
     18},
    {"The company was founded in 2016.", 32, {464, 1664, 373, 9393, 287, 1584, 13}, 7},
    {"A\n'll !!to?'d''d of, can't.", 27, {32, 198, 1183, 37867, 1462, 8348, 67, 7061, 67, 286, 11, 460, 470, 13}, 14},
    {"def main():\n\tpass", 17, {4299, 1388, 33529, 198, 197, 6603}, 6},
    {"let a = obj.toString();\ntoString();",
     35,
     {1616, 257, 796, 26181, 13, 1462, 10100, 9783, 198, 1462, 10100, 9783},
     12},
    {"This\n\nis\na\ntest.", 16, {1212, 198, 198, 271, 198, 64, 198, 9288, 13}, 9},
    {"UNwant\303\251d,running", 17, {4944, 42949, 2634, 67, 11, 20270}, 6},
    {"1\0002\357\277\2753", 7, {16, 188, 17, 4210, 18}, 5},
    {"Hello World", 11, {15496, 2159}, 2},
    {"hello world", 11, {31373, 995}, 2},
    {"\347\224\237\346\264\273\347\232\204\347\234\237\350\260\233\346\230\257",
     18,
     {37955, 162, 112, 119, 21410, 40367, 253, 164, 108, 249, 42468},
     11},
    {"   leading space", 16, {220, 220, 3756, 2272}, 4},
    {"trailing space   ", 17, {9535, 4386, 2272, 220, 220, 220}, 6},
    {"Hi  Hello", 9, {17250, 220, 18435}, 3},
    {"test $1 R2 #3 \342\202\2544 \302\2435 \302\2456 \342\202\2437 \342\202\2718 \342\202\2619 test",
     46,
     {9288, 720, 16, 371, 17,   1303, 18,  10432, 19,   4248, 20,  38221, 21,
      2343, 224, 96, 22,  2343, 224,  117, 23,    2343, 224,  109, 24,    1332},
     26},
    {"I bought an apple for $1.00 at the store.",
     41,
     {40, 5839, 281, 17180, 329, 720, 16, 13, 405, 379, 262, 3650, 13},
     13},
    {"you\342\200\246  ", 8, {5832, 1399, 220, 220}, 4},
    {"you\342\200\246\302\240\302\240", 10, {5832, 1399, 4603}, 3},
    {"you\342\200\246\302\240\302\240you\342\200\246\302\240\302\240",
     20,
     {5832, 1399, 1849, 1849, 5832, 1399, 4603},
     7},
    {"weird \357\275\236 edge \357\275\236 case", 23, {732, 1447, 27332, 121, 252, 5743, 27332, 121, 252, 1339}, 10},
    {"\342\226\201This \342\226\201is \342\226\201a \342\226\201test \342\226\201.",
     31,
     {5008, 223, 1212, 11019, 223, 271, 11019, 223, 64, 11019, 223, 9288, 11019, 223, 13},
     15},
    {"<s>\n", 4, {27, 82, 29, 198}, 4},
    {" </s> test </s> ", 16, {7359, 82, 29, 1332, 7359, 82, 29, 220}, 8},
    {"</s>test</s>", 12, {3556, 82, 29, 9288, 3556, 82, 29}, 7},
};

static void assert_published(const tokenizer *t, const published_text *p) {
  int *ids, count;
  attcert_error err = {.message = ""};
  if (tokens_of_text(&ids, &count, t, p->text, (size_t)p->length, true, &err) != ATTCERT_OK)
    fail_msg("\"%s\": %s", p->text, err.message);
  for (int i = 0; i < count && i < p->count; i++) {
    if (ids[i] != p->ids[i]) fail_msg("\"%s\": token %d is %d, expected %d", p->text, i, ids[i], p->ids[i]);
  }
  assert_int_equal(count, p->count);
  for (int i = 0; i < count; i++) assert_non_null(tokenizer_piece(t, ids[i]));
  free(ids);
}

static void assert_all(const char *path, const char *kind, const published_text *texts, size_t count) {
  tokenizer *t;
  attcert_error err = {.message = ""};
  if (tokenizer_open(&t, path, &err) != ATTCERT_OK) fail_msg("%s", err.message);
  assert_string_equal(tokenizer_kind(t), kind);
  for (size_t i = 0; i < count; i++) assert_published(t, &texts[i]);
  print_message("%zu texts\n", count);
  tokenizer_close(t);
}

#define ASSERT_ALL(path, kind, texts) assert_all(path, kind, texts, sizeof(texts) / sizeof((texts)[0]))

/* ---- BERT -------------------------------------------------------------------------------------------------------- */

static const char *const bert_added =
    "[{\"id\": 0, \"content\": \"[PAD]\", \"special\": true, \"normalized\": false},"
    " {\"id\": 100, \"content\": \"[UNK]\", \"special\": true, \"normalized\": false},"
    " {\"id\": 101, \"content\": \"[CLS]\", \"special\": true, \"normalized\": false},"
    " {\"id\": 102, \"content\": \"[SEP]\", \"special\": true, \"normalized\": false},"
    " {\"id\": 103, \"content\": \"[MASK]\", \"special\": true, \"normalized\": false}]";

static const char *const bert_template =
    "{\"type\": \"TemplateProcessing\","
    " \"single\": [{\"SpecialToken\": {\"id\": \"[CLS]\", \"type_id\": 0}}, {\"Sequence\": {\"id\": \"A\", "
    "\"type_id\": 0}},"
    "  {\"SpecialToken\": {\"id\": \"[SEP]\", \"type_id\": 0}}], \"pair\": [],"
    " \"special_tokens\": {\"[CLS]\": {\"id\": \"[CLS]\", \"ids\": [101], \"tokens\": [\"[CLS]\"]},"
    "  \"[SEP]\": {\"id\": \"[SEP]\", \"ids\": [102], \"tokens\": [\"[SEP]\"]}}}";

static void bert_vocabulary(void **state) {
  (void)state;
  char path[512];
  ASSERT_ALL(test_data_path(path, "tokenizer/bert-base-uncased-vocab.txt"), "WordPiece", bert_uncased);
}

static void bert_json(void **state) {
  (void)state;
  char path[512];
  test_data_path(path, "tokenizer/bert-base-uncased-vocab.txt");
  json_t *const model =
      json_pack("{s:s, s:s, s:s, s:i, s:o}", "type", "WordPiece", "unk_token", "[UNK]", "continuing_subword_prefix",
                "##", "max_input_chars_per_word", 100, "vocab", tokenizer_json_vocabulary(path));
  tokenizer_json_write(&temp_folder_shared, bert_added,
                       "{\"type\": \"BertNormalizer\", \"clean_text\": true, \"handle_chinese_chars\": true,"
                       " \"strip_accents\": null, \"lowercase\": true}",
                       "{\"type\": \"BertPreTokenizer\"}", bert_template, model);
  ASSERT_ALL(temp_folder_shared.path, "WordPiece", bert_uncased);
}

/* ---- GPT-2 ------------------------------------------------------------------------------------------------------- */

static void gpt2_merges(void **state) {
  (void)state;
  char path[512];
  ASSERT_ALL(test_data_path(path, "tokenizer/vocab.bpe"), "byte-level BPE", gpt2);
}

/* The file of before types were named, and the one of today, whose merges are pairs. */
static void gpt2_json(void **state) {
  (void)state;
  char vocabulary[512], merges[512];
  test_data_path(vocabulary, "tokenizer/encoder_derived.json");
  test_data_path(merges, "tokenizer/vocab.bpe");
  for (int today = 0; today <= 1; today++) {
    json_t *const model =
        json_pack("{s:n, s:s, s:s, s:s, s:b, s:o, s:o}", "dropout", "unk_token", "", "continuing_subword_prefix", "",
                  "end_of_word_suffix", "", "fuse_unk", 0, "vocab", json_load_file(vocabulary, 0, NULL), "merges",
                  tokenizer_json_merges(merges, today));
    if (today) json_object_set_new(model, "type", json_string("BPE"));
    tokenizer_json_write(&temp_folder_shared,
                         "[{\"id\": 50256, \"content\": \"<|endoftext|>\", \"special\": true, \"normalized\": false}]",
                         NULL, "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": true}",
                         "{\"type\": \"ByteLevel\", \"add_prefix_space\": true, \"trim_offsets\": false}", model);
    ASSERT_ALL(temp_folder_shared.path, "byte-level BPE", gpt2);
  }
  assert_tokens(temp_folder_shared.path, "Hello<|endoftext|>world", 15496, 50256, 6894);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bert_vocabulary), cmocka_unit_test(bert_json),
                                     cmocka_unit_test(gpt2_merges), cmocka_unit_test(gpt2_json)};
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
