/* Pre-tokenizers of tokenizer.json, seen through a model that has the expected pieces as its only tokens. Many
 * expectations are those of huggingface/tokenizers' own tests (metaspace.rs, split.rs, byte_level.rs, normalizer.rs).
 */
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

static void words_and_spaces(void **state) {
  (void)state;
  ASSERT_SPLIT("{\"type\": \"Whitespace\"}", "Hey man!", "Hey", "man", "!");
  ASSERT_SPLIT("{\"type\": \"Whitespace\"}", "How are you doing?", "How", "are", "you", "doing", "?");
  ASSERT_SPLIT("{\"type\": \"Whitespace\"}", "a_b-- Ⓐé\xCC\x81 ½", "a_b", "--", "Ⓐé\xCC\x81", "½");
  ASSERT_SPLIT("{\"type\": \"WhitespaceSplit\"}", "Hey man!", "Hey", "man!");
  ASSERT_SPLIT("{\"type\": \"WhitespaceSplit\"}", "Hey, man, Good?", "Hey,", "man,", "Good?");
  ASSERT_SPLIT("{\"type\": \"BertPreTokenizer\"}", "Hey friend!     How are you?!?", "Hey", "friend", "!", "How", "are",
               "you", "?", "!", "?");
  ASSERT_SPLIT("{\"type\": \"CharDelimiterSplit\", \"delimiter\": \"-\"}", "the--final-countdown", "the", "final",
               "countdown");
  ASSERT_SPLIT("{\"type\": \"Digits\", \"individual_digits\": false}", "Hey 123 friend!", "Hey ", "123", " friend!");
  ASSERT_SPLIT("{\"type\": \"Digits\", \"individual_digits\": true}", "Hey 123 friend!", "Hey ", "1", "2", "3",
               " friend!");
  ASSERT_SPLIT("{\"type\": \"Punctuation\"}", "Hey friend!     How are you?!?", "Hey friend", "!", "     How are you",
               "?", "!", "?");
  ASSERT_SPLIT("{\"type\": \"Punctuation\", \"behavior\": \"Contiguous\"}", "you?!?", "you", "?!?");
}

/* split.rs: how every behaviour cuts this text at \w+|[^\w\s]+, here by classes that both engines share. */
static void behaviours(void **state) {
  (void)state;
#define SPLIT(regex, behaviour, invert)                                                       \
  "{\"type\": \"Split\", \"pattern\": {\"Regex\": \"" regex "\"}, \"behavior\": \"" behaviour \
  "\", \"invert\": " invert "}"
#define WORDS "[A-Za-z]+|[^A-Za-z\\\\s]+"
  static const char text[] = "How are you doing?";
  ASSERT_SPLIT(SPLIT(WORDS, "Removed", "true"), text, "How", "are", "you", "doing", "?");
  ASSERT_SPLIT(SPLIT(WORDS, "Isolated", "false"), text, "How", " ", "are", " ", "you", " ", "doing", "?");
  ASSERT_SPLIT(SPLIT(WORDS, "MergedWithPrevious", "true"), text, "How ", "are ", "you ", "doing", "?");
  ASSERT_SPLIT(SPLIT(WORDS, "MergedWithNext", "true"), text, "How", " are", " you", " doing", "?");
  ASSERT_SPLIT(SPLIT(WORDS, "Contiguous", "true"), text, "How", " ", "are", " ", "you", " ", "doing?");
  /* normalizer.rs, the-final--countdown at each dash */
#define DASH(behaviour) "{\"type\": \"Split\", \"pattern\": {\"String\": \"-\"}, \"behavior\": \"" behaviour "\"}"
  static const char dashes[] = "The-final--countdown";
  ASSERT_SPLIT(DASH("Removed"), dashes, "The", "final", "countdown");
  ASSERT_SPLIT(DASH("Isolated"), dashes, "The", "-", "final", "-", "-", "countdown");
  ASSERT_SPLIT(DASH("MergedWithPrevious"), dashes, "The-", "final-", "-", "countdown");
  ASSERT_SPLIT(DASH("MergedWithNext"), dashes, "The", "-final", "-", "-countdown");
  ASSERT_SPLIT(DASH("Contiguous"), dashes, "The", "-", "final", "--", "countdown");
}

static void metaspace(void **state) {
  (void)state;
#define META(rest) "{\"type\": \"Metaspace\", \"replacement\": \"▁\", " rest "}"
  ASSERT_SPLIT(META("\"add_prefix_space\": true"), "Hey friend!", "▁Hey", "▁friend!");
  ASSERT_SPLIT(META("\"prepend_scheme\": \"always\""), "Hey   friend!", "▁Hey", "▁", "▁", "▁friend!");
  ASSERT_SPLIT(META("\"prepend_scheme\": \"never\""), "Hey friend!", "Hey", "▁friend!");
  ASSERT_SPLIT(META("\"add_prefix_space\": false"), "Hey friend!", "Hey", "▁friend!");
  ASSERT_SPLIT(META("\"prepend_scheme\": \"always\", \"split\": false"), "Hey friend!", "▁Hey▁friend!");
  ASSERT_SPLIT(META("\"prepend_scheme\": \"always\""), " Hey", "▁Hey");
  static const char added[] = "[{\"content\": \"<s>\", \"special\": true, \"normalized\": false}]";
  assert_pieces(added, NULL, META("\"prepend_scheme\": \"first\", \"split\": true"), "Hey my<s>how friend",
                PIECES("▁Hey", "▁my", "<s>", "how", "▁friend"));
  assert_pieces(added, NULL, META("\"prepend_scheme\": \"always\", \"split\": true"), "Hey my<s>how friend",
                PIECES("▁Hey", "▁my", "<s>", "▁how", "▁friend"));
  /* what begins after blanks that went is not the first */
  assert_pieces(NULL, "{\"type\": \"Strip\", \"strip_left\": true, \"strip_right\": false}",
                META("\"prepend_scheme\": \"first\""), " Hey", PIECES("Hey"));
  refuse_parts(NULL, NULL, META("\"prepend_scheme\": \"last\""), NULL, "\"always\", \"first\" or \"never\"");
  refuse_parts(NULL, NULL, META("\"prepend_scheme\": \"always\", \"add_prefix_space\": false"), NULL,
               "what prepend_scheme says");
  refuse_parts(NULL, NULL,
               "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"WhitespaceSplit\"}, " META(
                   "\"prepend_scheme\": \"first\"") "]}",
               NULL, "pretokenizers[1]: key 'prepend_scheme' is \"first\"");
}

static void byte_level(void **state) {
  (void)state;
#define BYTES(rest) "{\"type\": \"ByteLevel\", " rest "}"
  ASSERT_SPLIT(BYTES("\"add_prefix_space\": false"), "Hello my friend, how is your day going?", "Hello", "Ġmy",
               "Ġfriend", ",", "Ġhow", "Ġis", "Ġyour", "Ġday", "Ġgoing", "?");
  ASSERT_SPLIT(BYTES("\"add_prefix_space\": true"), "Hello my", "ĠHello", "Ġmy");
  ASSERT_SPLIT(BYTES("\"add_prefix_space\": true"), " Hello my", "ĠHello", "Ġmy");
  ASSERT_SPLIT(BYTES("\"add_prefix_space\": false"), "Hello there\nHello there", "Hello", "Ġthere", "Ċ", "Hello",
               "Ġthere");
  ASSERT_SPLIT(BYTES("\"add_prefix_space\": false"), "Hello there       dear", "Hello", "Ġthere", "ĠĠĠĠĠĠ", "Ġdear");
  ASSERT_SPLIT(BYTES("\"add_prefix_space\": false"), "i⭢j", "i", "âŃ¢", "j");
  ASSERT_SPLIT(BYTES("\"add_prefix_space\": false, \"use_regex\": false"), "Hello my", "HelloĠmy");
  /* LLaMA 3 and Qwen 2: their own words, then bytes */
#define LLAMA3                                                                                                        \
  "{\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Split\", \"behavior\": \"Isolated\", \"invert\": false," \
  " \"pattern\": {\"Regex\": \"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|\\\\p{N}{1,3}|"   \
  " ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+\"}},"                          \
  " {\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"use_regex\": false}]}"
  ASSERT_SPLIT(LLAMA3, "i'm i'M i've i'VE 12345\r\n\r\n x", "i", "'m", "Ġi", "'M", "Ġi", "'ve", "Ġi", "'VE", "Ġ", "123",
               "45", "čĊčĊ", "Ġx");
}

static void expressions(void **state) {
  (void)state;
#define CUT(regex) SPLIT(regex, "Isolated", "false")
  ASSERT_SPLIT(CUT("\\\\s"), "a\xE1\xA0\x8E\x62\xC2\x85\x63", "a\xE1\xA0\x8E\x62", "\xC2\x85",
               "c"); /* U+180E is no space */
}

static void bad_expressions(void **state) {
  (void)state;
  static const struct {
    const char *regex, *fragment;
  } bad[] = {{"\\\\w+", "an escape that PCRE2 may understand differently at byte 0"},
             {"a\\\\b", "an escape that PCRE2 may understand differently at byte 1"},
             {"a*", "matches the empty string"},
             {"", "has nothing at byte 0"},
             {"(a", "a group without an end"},
             {"a)", "a group that was not opened"},
             {"[a", "a set without an end"},
             {"[a[b]]", "a set in a set"},
             {"[a&&b]", "a set operation"},
             {"[[:alpha:]]", "a set in a set"},
             {"[]a]", "an empty set"},
             {"a{2}?", "a quantifier of a quantifier"},
             {"a{1,2}+", "a quantifier of a quantifier"},
             {"a{,2}", "a brace"},
             {"a**", "a quantifier of nothing"},
             {"*a", "a quantifier of nothing"},
             {"(?i)a", "a group of another kind"},
             {"(?<x>a)", "a group of another kind"},
             {"(*UTF)a", "a verb"},
             {"(a)\\\\1", "an escape"},
             {"\\\\p{Alpha}", "a property that is neither"},
             {"\\\\pL", "a property without braces"},
             {"(?i:ß)", "a letter beyond ASCII"},
             {"(?i:strasse)", "letters that fold to one"},
             {"\\\\x{110000}", "PCRE2 error"},
             {"\\\\xE9", "a byte that is no character"},
             {"(?<=a+)b", "PCRE2 error"},
             {"a\\\\", "a backslash at its end"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char json[256];
    snprintf(json, sizeof json, "{\"type\": \"Split\", \"pattern\": {\"Regex\": \"%s\"}, \"behavior\": \"Isolated\"}",
             bad[i].regex);
    refuse_parts(NULL, NULL, json, NULL, bad[i].fragment);
  }
}

static void bad_pretokenizers(void **state) {
  (void)state;
  refuse_parts(NULL, NULL, "{\"type\": \"UnicodeScripts\"}", NULL, "key 'type' is \"UnicodeScripts\", expected");
  refuse_parts(NULL, NULL, "{\"type\": \"Split\", \"pattern\": {\"String\": \"a\"}}", NULL,
               "key 'behavior' is missing");
  refuse_parts(NULL, NULL, "{\"type\": \"Split\", \"pattern\": {\"String\": \"a\"}, \"behavior\": \"Lost\"}", NULL,
               "key 'behavior' is \"Lost\"");
  refuse_parts(NULL, NULL, "{\"type\": \"Split\", \"pattern\": {}, \"behavior\": \"Removed\"}", NULL,
               "one of the keys 'String' and 'Regex'");
  refuse_parts(NULL, NULL, "{\"type\": \"CharDelimiterSplit\", \"delimiter\": \"--\"}", NULL, "one character");
  refuse_parts(NULL, NULL, "{\"type\": \"Metaspace\", \"replacement\": \"\"}", NULL, "one character");
  refuse_parts(NULL, NULL, "{\"type\": \"Whitespace\", \"gently\": true}", NULL, "key 'gently' is true");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words_and_spaces), cmocka_unit_test(behaviours),
                                     cmocka_unit_test(metaspace),        cmocka_unit_test(byte_level),
                                     cmocka_unit_test(expressions),      cmocka_unit_test(bad_expressions),
                                     cmocka_unit_test(bad_pretokenizers)};
  return cmocka_run_group_tests(tests, temp_folder_set_up, temp_folder_tear_down);
}
