#include "model/model_folder.h"

#include "model/family/families.h"
#include "model/folder_path.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct {
  const char *name, *what;
} refused[] = {
    {"adapter_config.json", "an adapter, which is not evaluated, expected a folder with its weights merged"},
    {"adapter_model.safetensors", "an adapter, which is not evaluated, expected a folder with its weights merged"},
    {"adapter_model.bin", "an adapter, which is not evaluated, expected a folder with its weights merged"},
    {"quantize_config.json", "of quantized weights, which are not computed, expected a folder with the weights"},
    {"quant_config.json", "of quantized weights, which are not computed, expected a folder with the weights"},
    {"hf_quant_config.json", "of quantized weights, which are not computed, expected a folder with the weights"},
};

static attcert_status check_file(const char *folder, size_t i, attcert_error *err) {
  struct stat info;
  char *const path = folder_path_new(folder, refused[i].name, err);
  if (path == NULL) return ATTCERT_RESOURCE;
  const bool found = stat(path, &info) == 0;
  const attcert_status status =
      found ? attcert_fail(err, ATTCERT_INPUT, "%s: is %s", path, refused[i].what) : ATTCERT_OK;
  free(path);
  return status;
}

attcert_status model_folder_check(const char *folder, attcert_error *err) {
  struct stat info;
  attcert_status status = ATTCERT_OK;
  const bool found = stat(folder, &info) == 0;
  if (!found && errno == ENOENT)
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: no such folder, and nothing is downloaded: expected a folder with " MODEL_CONFIG_NAME
                        " and " MODEL_WEIGHTS_NAME ", or " RANDOM_MODELS(" or "),
                        folder);
  if (found && !S_ISDIR(info.st_mode))
    return attcert_fail(err, ATTCERT_INPUT,
                        "%s: is no folder, expected one with " MODEL_CONFIG_NAME " and " MODEL_WEIGHTS_NAME, folder);
  for (size_t i = 0; i < sizeof refused / sizeof refused[0] && status == ATTCERT_OK; i++)
    status = check_file(folder, i, err);
  return status;
}
