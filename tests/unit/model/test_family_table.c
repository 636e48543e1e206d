/* src/model/family/README.md: of every family which keys of config.json are read, which have no effect, and which are
 * held to one value, as the descriptions say it. Where it does not, the table that should be there is left in
 * build/family_table.md. */
#include "model/family/families.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char path[] = "src/model/family/README.md", left[] = "build/family_table.md";

/* Each key of a list in a row of its own, which the table's lines are narrow enough for. */
static void put_keys(FILE *f, const char *keys, const char *effect, const char *why) {
  fprintf(f, "| `");
  for (const char *c = keys; *c != '\0'; c++) {
    if (*c == ' ')
      fprintf(f, "`, `");
    else
      fputc(*c, f);
  }
  fprintf(f, "` | %s%s%s |\n", effect, why != NULL ? ": " : "", why != NULL ? why : "");
}

static void put_rows(FILE *f, const config_key *k) {
  for (; k->keys != NULL; k++) {
    char effect[64] = "read";
    if (k->value != NULL)
      snprintf(effect, sizeof effect, strcmp(k->value, "null") == 0 ? "refused" : "`%s` alone", k->value);
    else if (k->why != NULL)
      snprintf(effect, sizeof effect, "no effect");
    put_keys(f, k->keys, effect, k->why);
  }
}

static void begin_table(FILE *f) {
  fprintf(f, "| keys | what is made of them |\n|---|---|\n");
}

static void put_keys_of(FILE *f, const model_family *family) {
  const family_keys *const k = &family->keys;
  const char *const numbers[] = {k->dim,       k->heads, k->layers,  k->hidden_dim,   k->vocabulary,
                                 k->positions, k->act,   k->epsilon, k->embedding_dim};
  char list[512] = "";
  begin_table(f);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const size_t length = strlen(list);
    if (numbers[i] != NULL) snprintf(list + length, sizeof list - length, "%s%s", length > 0 ? " " : "", numbers[i]);
  }
  put_keys(f, list, "read", NULL);
  put_rows(f, family->other_keys);
}

static void put_family(FILE *f, const model_family *family) {
  fprintf(f, "\n## ");
  for (int i = 0; i < FAMILY_TYPES && family->type[i].name != NULL; i++)
    fprintf(f, "%s%s", i > 0 ? ", " : "", family->type[i].name);
  fprintf(f, "\n\n");
  put_keys_of(f, family);
  if (family->later.family != NULL) {
    fprintf(f, "\nOf files without `%s`:\n\n", family->later.without);
    put_keys_of(f, family->later.family);
  }
  if (family->tower.type == NULL) return;
  fprintf(f, "\nThe same keys may be those of `%s` in a file of model_type %s, which has beside them:\n\n",
          family->tower.object, family->tower.type);
  begin_table(f);
  put_rows(f, family->tower.other_keys);
}

static void write_table(FILE *f) {
  const model_family *family;
  fprintf(f,
          "# Families of transformers\n\n"
          "What becomes of the keys of config.json, family by family. A key that is nowhere here, beside those of all\n"
          "families at the end, is refused, as it may change the function. Made from the descriptions in this folder\n"
          "(tests/unit/model/test_family_table.c).\n");
  for (size_t i = 0; (family = families_at(i)) != NULL; i++) put_family(f, family);
  fprintf(f, "\n## All families\n\n");
  begin_table(f);
  put_rows(f, common_keys);
}

/* The whole text, to be freed. */
static char *read_all(FILE *f) {
  size_t size = 0, capacity = 1 << 16, got;
  char *text = malloc(capacity);
  assert_non_null(text);
  while ((got = fread(text + size, 1, capacity - size - 1, f)) > 0) {
    size += got;
    if (size + 1 < capacity) continue;
    capacity *= 2;
    assert_non_null(text = realloc(text, capacity));
  }
  text[size] = '\0';
  return text;
}

static void table_is_that_of_the_descriptions(void **state) {
  (void)state;
  FILE *const made = tmpfile(), *const kept = fopen(path, "r");
  assert_non_null(made);
  write_table(made);
  rewind(made);
  char *const expected = read_all(made), *const found = kept != NULL ? read_all(kept) : strdup("");
  if (strcmp(expected, found) != 0) {
    FILE *const f = fopen(left, "w");
    if (f != NULL) fputs(expected, f);
    if (f != NULL) fclose(f);
    fail_msg("%s differs from the descriptions; after a look: cp %s %s", path, left, path);
  }
  free(expected);
  free(found);
  fclose(made);
  if (kept != NULL) fclose(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(table_is_that_of_the_descriptions)};
  return cmocka_run_group_tests_name("family_table", tests, NULL, NULL);
}
