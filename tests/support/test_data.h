/* The data files that are no part of the project: below the folder named by the environment variable ATTCERT_DATA. */
#ifndef ATTCERT_TESTS_SUPPORT_TEST_DATA_H
#define ATTCERT_TESTS_SUPPORT_TEST_DATA_H

/* The path of a data file, written into `path` of 512 bytes; returns path. Where there is none, the calling test ends
 * as skipped. */
const char *test_data_path(char path[512], const char *name);

#endif
