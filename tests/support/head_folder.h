/* A folder of a tiny model for tests of its head: tensors are added by name, config.json is written with other keys,
 * and the head is opened, or refused. */
#ifndef ATTCERT_TESTS_SUPPORT_HEAD_FOLDER_H
#define ATTCERT_TESTS_SUPPORT_HEAD_FOLDER_H

#include "model/head/model_head.h"
#include "tiny_body.h"

typedef struct {
  temp_folder folder;
  tiny_body body;
  random_source r;
} head_folder;

/* The first body of that type, without a head. */
void head_folder_init(head_folder *p, const char *type);
void head_folder_clear(head_folder *p);

/* A BERT with pooler and a classifier of `rows` labels. */
void head_folder_bert(head_folder *p, int rows);

/* A tensor with random numbers (cols = 0: a vector), which are returned; NAME.weight, rows x dim, and NAME.bias. */
double *head_folder_add(head_folder *p, const char *name, int rows, int cols);
void head_folder_add_map(head_folder *p, const char *name, int rows);

/* The head of the folder with these keys in config.json; *head is cleared where there is none. */
attcert_status head_folder_open(model_head *head, const head_folder *p, const char *keys, const char *architecture,
                                attcert_error *err);

/* Fails unless the head is that one, in words; or refused with a message that holds both words. */
void head_folder_opens(const head_folder *p, const char *keys, const char *architecture, const char *text);
void head_folder_refuses(const head_folder *p, const char *keys, const char *architecture, const char *word,
                         const char *other);

#endif
