/* The values options take: each parser stores the value of `text` into *field, or fails naming the option and what was
 * expected. Signatures are those of option_row.parse. */
#ifndef ATTCERT_CLI_OPTIONS_OPTION_VALUE_H
#define ATTCERT_CLI_OPTIONS_OPTION_VALUE_H

#include "cli/options/options.h"

attcert_status option_value_text(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_int(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_seed(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_positive(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_nonnegative(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_size(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_choice(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_ball(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_engine(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_range(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_radii(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_heads(void *field, const option_row *row, const char *text, attcert_error *err);
attcert_status option_value_switch(void *field, const option_row *row, const char *text, attcert_error *err);

#endif
