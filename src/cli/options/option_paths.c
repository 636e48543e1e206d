/* See option_paths.h. A model or a tokenizer may be a folder: every file is meant that may be read from it. */
#include "cli/options/option_paths.h"

#include "cli/options/option_token_ids.h"
#include "model/folder_path.h"
#include "model/tokenizer/tokenizer.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMED = 14, INPUTS = NAMED + OPTION_MOST_FURTHER, OUTPUTS = 5 };

typedef struct {
  const char *name; /* of the option, with its dashes; of an operand */
  const char *path; /* NULL: not given */
} named_path;

static bool same_inode(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder that holds path, and the name it has there. */
static bool find_parent(struct stat *parent, const char **base, const char *path) {
  char folder[PATH_MAX];
  const char *const slash = strrchr(path, '/');
  *base = slash != NULL ? slash + 1 : path;
  const size_t length = (size_t)(*base - path);
  if (length >= sizeof folder) return false;
  snprintf(folder, sizeof folder, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
  return stat(folder, parent) == 0;
}

/* Files that exist: one inode. Files that do not: one name in one folder. */
static bool same_file(const char *one, const char *other) {
  struct stat a, b;
  const char *name_a, *name_b;
  const bool found_a = stat(one, &a) == 0, found_b = stat(other, &b) == 0;
  if (found_a || found_b) return found_a && found_b && same_inode(&a, &b);
  return find_parent(&a, &name_a, one) && find_parent(&b, &name_b, other) && same_inode(&a, &b) &&
         strcmp(name_a, name_b) == 0;
}

static bool is_in_folder(char found[PATH_MAX], const char *folder, const char *name, const char *output) {
  const int length = snprintf(found, PATH_MAX, "%s/%s", folder, name);
  return length > 0 && length < PATH_MAX && same_file(found, output);
}

static bool ends_with(const char *name, const char *suffix) {
  const size_t length = strlen(name), tail = strlen(suffix);
  return length >= tail && strcmp(name + length - tail, suffix) == 0;
}

/* Any file of the folder may be a shard that has the name of one. */
static bool is_shard(char found[PATH_MAX], const char *folder, const char *output) {
  DIR *const entries = opendir(folder);
  bool shard = false;
  if (entries == NULL) return false;
  for (const struct dirent *entry; !shard && (entry = readdir(entries)) != NULL;)
    shard = ends_with(entry->d_name, MODEL_SHARD_SUFFIX) && is_in_folder(found, folder, entry->d_name, output);
  closedir(entries);
  return shard;
}

/* Whether output is the file, or one of the files that are read from the folder, at path; found is its name. */
static bool is_read_from(char found[PATH_MAX], const char *path, const char *output) {
  static const char *const names[] = {MODEL_CONFIG_NAME, MODEL_WEIGHTS_NAME, MODEL_INDEX_NAME};
  char folder[PATH_MAX];
  snprintf(found, PATH_MAX, "%s", path);
  if (same_file(path, output)) return true;
  snprintf(folder, sizeof folder, "%.*s", (int)folder_path_length(path), path);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (is_in_folder(found, folder, names[i], output)) return true;
  }
  for (const char *const *name = tokenizer_names; *name != NULL; name++) {
    if (is_in_folder(found, folder, *name, output)) return true;
  }
  return is_shard(found, folder, output);
}

/* A rename onto the link would replace it, and what is appended through it would make a file elsewhere. */
static attcert_status check_link(const named_path *output, attcert_error *err) {
  struct stat info;
  if (stat(output->path, &info) == 0 || errno != ENOENT || lstat(output->path, &info) != 0) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: '%s' is a symbolic link to nothing, expected a file or a new name",
                      output->name, output->path);
}

static attcert_status check_output(const named_path *output, const named_path *others, const named_path *inputs,
                                   attcert_error *err) {
  char found[PATH_MAX];
  const attcert_status status = check_link(output, err);
  if (status != ATTCERT_OK) return status;
  for (const named_path *other = others; other < output; other++) {
    if (other->path != NULL && same_file(other->path, output->path))
      return attcert_fail(err, ATTCERT_INPUT, "%s and %s both name '%s': expected different files", other->name,
                          output->name, output->path);
  }
  for (const named_path *input = inputs; input < inputs + INPUTS; input++) {
    if (input->path != NULL && is_read_from(found, input->path, output->path))
      return attcert_fail(err, ATTCERT_INPUT, "%s: '%s' is '%s', which %s reads: expected another file", output->name,
                          output->path, found, input->name);
  }
  return ATTCERT_OK;
}

/* NULL where the ids are listed. */
static const char *token_file(const cli_options *o) {
  return o->token_ids != NULL && !option_token_ids_listed(o->token_ids) ? o->token_ids : NULL;
}

attcert_status option_paths_check(const cli_options *o, attcert_error *err) {
  const named_path outputs[OUTPUTS] = {{"--output", o->output},
                                       {"--plot", o->plot},
                                       {"--vector-out", o->vector_out},
                                       {"--save-input", o->save_input},
                                       {"--certificate", o->certificate}};
  named_path inputs[INPUTS] = {
      {"--weights", o->weights},       {"--model", o->model},       {"--input", o->input},
      {"--hidden", o->hidden},         {"--text", o->text},         {"--vector", o->vector},
      {"--tokenizer", o->tokenizer},   {"the command", o->operand}, {"--token-ids", token_file(o)},
      {"--mask-input", o->mask_input}, {"--box", o->box_least},     {"--box", o->box_most},
      {"--synonyms", o->synonyms},     {"--dataset", o->dataset}};
  attcert_status status = ATTCERT_OK;
  for (int k = 0; k < o->constants.count; k++)
    inputs[NAMED + k] = (named_path){"--input", strchr(o->constants.text[k], '=') + 1};
  for (int i = 0; i < OUTPUTS && status == ATTCERT_OK; i++) {
    if (outputs[i].path != NULL) status = check_output(&outputs[i], outputs, inputs, err);
  }
  return status;
}
