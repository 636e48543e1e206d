/* The values that options take. */
#ifndef ATTCERT_CLI_OPTIONS_OPTION_VALUE_H
#define ATTCERT_CLI_OPTIONS_OPTION_VALUE_H

#include "cli/options/options.h"

option_parser option_value_text, option_value_int, option_value_seed, option_value_positive, option_value_nonnegative,
    option_value_probability, option_value_size, option_value_choice, option_value_mask, option_value_ball,
    option_value_engine, option_value_range, option_value_radii, option_value_heads, option_value_switch;

#endif
