/* Whole numbers from the environment that choose how many random cases a test runs, and which. */
#ifndef ATTCERT_TESTS_SUPPORT_TEST_SETTING_H
#define ATTCERT_TESTS_SUPPORT_TEST_SETTING_H

#include <stdint.h>

/* The variable's value; `otherwise` when it is not set. */
uint64_t test_setting(const char *name, uint64_t otherwise);

#endif
