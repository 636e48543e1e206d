/* Normalizers of tokenizer.json, seen through a model that has the normal form as its only token. Many expectations are
 * those of huggingface/tokenizers' own tests (unicode.rs, strip.rs, replace.rs, ..). */
#include "token_pieces.h"
#include "tokenizer_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void unicode_normalizers(void **state) {
  (void)state;
  ASSERT_NORMAL("{\"type\": \"NFKC\"}", "\xEF\xAC\x81", "fi");
  ASSERT_NORMAL("{\"type\": \"NFC\"}", "e\xCC\x81\xEF\xAC\x81", "é\xEF\xAC\x81");
  ASSERT_NORMAL("{\"type\": \"NFD\"}", "é\xEF\xAC\x81", "e\xCC\x81\xEF\xAC\x81");
  ASSERT_NORMAL("{\"type\": \"NFKD\"}", "é\xEF\xAC\x81", "e\xCC\x81\x66i");
  ASSERT_NORMAL("{\"type\": \"Lowercase\"}", "ÀΣİ", "àσi\xCC\x87");
  ASSERT_NORMAL("{\"type\": \"StripAccents\"}", "e\xCC\x84\xCC\x84\xCC\x84o", "eo");
  ASSERT_NORMAL("{\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"NFKD\"}, {\"type\": \"StripAccents\"},"
                " {\"type\": \"Lowercase\"}]}",
                "Cụ thể, bạn sẽ tham gia\xE2\x80\xA6", "cu the, ban se tham gia...");
  ASSERT_NORMAL("{\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"NFKD\"}, {\"type\": \"StripAccents\"}]}",
                "ำน\xE0\xB9\x89ำ3ลำ", "านา3ลา");
  ASSERT_NORMAL("{\"type\": \"Nmt\"}", "a\tb\x01\x7F\xE2\x80\x8B\xEF\xBB\xBF\x63\xC2\x85", "a b  c\xC2\x85");
}

static void text_normalizers(void **state) {
  (void)state;
  ASSERT_NORMAL("{\"type\": \"Replace\", \"pattern\": {\"String\": \"''\"}, \"content\": \"\\\"\"}",
                "This is a ''test''", "This is a \"test\"");
  ASSERT_NORMAL("{\"type\": \"Replace\", \"pattern\": {\"Regex\": \"\\\\s+\"}, \"content\": \" \"}",
                "This     is   a         test", "This is a test");
  ASSERT_NORMAL("{\"type\": \"Replace\", \"pattern\": {\"Regex\": \" {2,}\"}, \"content\": \"\"}", "a  b c", "ab c");
  ASSERT_NORMAL("{\"type\": \"Prepend\", \"prepend\": \"▁\"}", "Hello", "▁Hello");
  ASSERT_NORMAL("{\"type\": \"Strip\", \"strip_left\": true, \"strip_right\": true}", " \xE2\x80\x83\x61 b\n", "a b");
  ASSERT_NORMAL("{\"type\": \"Strip\", \"strip_left\": true, \"strip_right\": false}", "  a ", "a ");
  ASSERT_NORMAL("{\"type\": \"Strip\", \"strip_left\": false, \"strip_right\": true}", "  a ", "  a");
  ASSERT_NORMAL("{\"type\": \"ByteLevel\"}", "Hello 我", "HelloĠæĪĳ");
}

static void bert_normalizer(void **state) {
  (void)state;
#define BERT(clean, chinese, strip, lower)                                                       \
  "{\"type\": \"BertNormalizer\", \"clean_text\": " clean ", \"handle_chinese_chars\": " chinese \
  ", \"strip_accents\": " strip ", \"lowercase\": " lower "}"
  static const char text[] = "\tÉ\x01\xEF\xBF\xBD中";
  ASSERT_NORMAL(BERT("true", "true", "null", "true"), text, " e 中 ");
  ASSERT_NORMAL(BERT("true", "true", "null", "false"), text, " É 中 "); /* a cased vocabulary keeps its accents */
  ASSERT_NORMAL(BERT("true", "true", "true", "false"), text, " E 中 ");
  ASSERT_NORMAL(BERT("true", "true", "false", "true"), text, " é 中 ");
  ASSERT_NORMAL(BERT("true", "false", "true", "true"), text, " e中");
  ASSERT_NORMAL(BERT("false", "false", "false", "false"), text, text);
  write_pieces(NULL, BERT("true", "true", "null", "true"), NULL, NULL, PIECES("a"));
  assert_text_refused(temp_folder_shared.path, "a\xCD\xB8", "U+0378, which Unicode has not assigned");
}

/* A double array of two keys: "a" becomes "b", U+FB01 (EF AC 81) becomes "fi"; everything else stays. Each unit of a
 * node lies at its parent's place xor the byte; a key's value at its node's place xor 0. */
static void put_unit(unsigned char *units, int at, unsigned label, unsigned offset, bool leaf) {
  const unsigned unit = label | (leaf ? 1U << 8 : 0) | offset << 10;
  for (int i = 0; i < 4; i++) units[4 * at + i] = (unsigned char)(unit >> 8 * i);
}

static void put_value(unsigned char *units, int at, unsigned value) {
  const unsigned unit = value | 1U << 31;
  for (int i = 0; i < 4; i++) units[4 * at + i] = (unsigned char)(unit >> 8 * i);
}

static void write_base64(char *to, const unsigned char *bytes, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  assert_int_equal(count % 3, 0);
  for (size_t i = 0; i < count; i += 3) {
    const unsigned three = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
    for (int j = 0; j < 4; j++) *to++ = digits[three >> (18 - 6 * j) & 63];
  }
  *to = '\0';
}

static void precompiled(void **state) {
  (void)state;
  enum { UNITS = 1024, ROOT = 0x100, LIGATURE = 0x200, TEXT = 7 };
  unsigned char bytes[4 + 4 * UNITS + TEXT] = {0, (4 * UNITS) >> 8};
  unsigned char *const units = bytes + 4;
  char base64[8192], json[8400];
  put_unit(units, 0, 0, ROOT, false);
  put_unit(units, ROOT ^ 'a', 'a', (ROOT ^ 'a') ^ 0x300, true); /* its value at 0x300 */
  put_value(units, 0x300, 0);
  put_unit(units, ROOT ^ 0xEF, 0xEF, (ROOT ^ 0xEF) ^ LIGATURE, false);
  put_unit(units, LIGATURE ^ 0xAC, 0xAC, (LIGATURE ^ 0xAC) ^ 0x280, false);
  put_unit(units, 0x280 ^ 0x81, 0x81, (0x280 ^ 0x81) ^ 0x310, true);
  put_value(units, 0x310, 2);
  memcpy(bytes + 4 + 4 * UNITS, "b\0fi\0\0", TEXT);
  write_base64(base64, bytes, sizeof bytes);
  snprintf(json, sizeof json, "{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"%s\"}", base64);
  ASSERT_NORMAL(json, "ac\xEF\xAC\x81z", "bcfiz");
  ASSERT_NORMAL(json, "a\xCC\x81z", "bz");               /* a grapheme that begins with a key becomes what that does */
  ASSERT_NORMAL(json, "\xEF\xAC\x82z", "\xEF\xAC\x82z"); /* U+FB02 shares two bytes with a key */
  ASSERT_NORMAL(json, "a\xCC\x81\xCC\x81\xCC\x81",
                "b\xCC\x81\xCC\x81\xCC\x81"); /* a longer one, character by character */
  refuse_parts(NULL, "{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"!\"}", NULL, NULL, "is not base64");
  refuse_parts(NULL, "{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"AAAA\"}", NULL, NULL, "has 3 bytes");
  refuse_parts(NULL, "{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"/////w==\"}", NULL, NULL, "has 4 bytes");
  refuse_parts(NULL, "{\"type\": \"Precompiled\", \"precompiled_charsmap\": \"BAAAAAAAAAD/\"}", NULL, NULL,
               "not UTF-8");
}

static void bad_normalizers(void **state) {
  (void)state;
  refuse_parts(NULL, "{\"type\": \"Transliterate\"}", NULL, NULL,
               "normalizer: key 'type' is \"Transliterate\", expected");
  refuse_parts(NULL, "{\"type\": \"NFC\", \"form\": 1}", NULL, NULL,
               "normalizer: key 'form' is 1, expected no such key");
  refuse_parts(NULL, "{}", NULL, NULL, "key 'type' is missing");
  refuse_parts(NULL, "[]", NULL, NULL, "key 'normalizer' is an array, expected an object");
  refuse_parts(NULL, "{\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"NFC\"}, 7]}", NULL, NULL,
               "normalizer.normalizers[1] is 7, expected an object");
  refuse_parts(NULL, "{\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"Fold\"}]}", NULL, NULL,
               "normalizer.normalizers[0]: key 'type' is \"Fold\"");
  refuse_parts(NULL, "{\"type\": \"Replace\", \"pattern\": {\"String\": \"\"}, \"content\": \"\"}", NULL, NULL,
               "not empty");
  refuse_parts(NULL, "{\"type\": \"Replace\", \"pattern\": {\"Regex\": \"(a)\"}, \"content\": \"$1\"}", NULL, NULL,
               "a string without '$'");
  refuse_parts(NULL, "{\"type\": \"BertNormalizer\", \"lowercase\": \"yes\"}", NULL, NULL,
               "key 'lowercase' is \"yes\", expected true or false");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(unicode_normalizers), cmocka_unit_test(text_normalizers),
                                     cmocka_unit_test(bert_normalizer), cmocka_unit_test(precompiled),
                                     cmocka_unit_test(bad_normalizers)};
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
