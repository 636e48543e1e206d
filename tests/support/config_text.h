/* config.json from a text. */
#ifndef ATTCERT_TESTS_SUPPORT_CONFIG_TEXT_H
#define ATTCERT_TESTS_SUPPORT_CONFIG_TEXT_H

#include "model/family/config_file.h"

/* What model_config_read makes of a file with this text, which it writes into temp_folder_shared. */
attcert_status config_text_read(model_config *config, const char *text, attcert_error *err);

/* The same of one of two towers. */
attcert_status config_text_read_tower(model_config *config, const char *text, const char *tower, attcert_error *err);

#endif
