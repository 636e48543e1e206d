#include "config_text.h"

#include "temp_folder.h"

#include <string.h>

attcert_status config_text_read_tower(model_config *config, const char *text, const char *tower, attcert_error *err) {
  char path[512];
  json_file file;
  temp_folder_write(&temp_folder_shared, "config.json", text, strlen(text));
  attcert_status status = json_file_open(&file, temp_folder_path(path, &temp_folder_shared, "config.json"), err);
  if (status == ATTCERT_OK) status = model_config_read(config, &file, tower, err);
  json_file_close(&file);
  return status;
}

attcert_status config_text_read(model_config *config, const char *text, attcert_error *err) {
  return config_text_read_tower(config, text, NULL, err);
}
