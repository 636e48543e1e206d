/* A fresh folder for the files that one test writes; removed with its files at the end. */
#ifndef ATTCERT_TESTS_SUPPORT_TEMP_FOLDER_H
#define ATTCERT_TESTS_SUPPORT_TEMP_FOLDER_H

#include <stddef.h>

typedef struct {
  char path[256];
} temp_folder;

void temp_folder_init(temp_folder *folder);
void temp_folder_clear(temp_folder *folder);
void temp_folder_empty(const temp_folder *folder); /* removes its files only */

/* Number of files in the folder. */
int temp_folder_count(const temp_folder *folder);

/* The path of a file in the folder, written into `path` of 512 bytes; returns path. */
const char *temp_folder_path(char path[512], const temp_folder *folder, const char *name);

/* Writes a file whole. */
void temp_folder_write(const temp_folder *folder, const char *name, const void *bytes, size_t size);

/* A folder that all tests of a program share, made and removed by cmocka's set-up and tear-down of the group. */
extern temp_folder temp_folder_shared;
int temp_folder_set_up(void **state);
int temp_folder_tear_down(void **state);

#endif
