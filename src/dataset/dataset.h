/* Labelled inputs in a file or a folder:
 *
 *   label,v1,..,vN                     the numbers of an input, each the double nearest to its decimals
 *   columns text and label             a text (RFC 4180: in quotes where it has commas); the first line names them
 *   columns token_ids and label        tokens, "101 7592 102" or "101,7592,102"
 *   a folder with labels.csv           columns file and label: .npy files of the folder
 */
#ifndef ATTCERT_DATASET_DATASET_H
#define ATTCERT_DATASET_DATASET_H

#include "dataset/csv_table.h"
#include "model/format/sha256.h"

typedef enum { DATASET_NUMBERS, DATASET_TEXTS, DATASET_TOKENS, DATASET_FILES } dataset_kind;

typedef struct {
  dataset_kind kind;
  const char *path; /* as given */
  char *file;       /* that lists the inputs: the path, or labels.csv in it */
  csv_table table;
  int begin;                    /* the row of the first input */
  int label, input;             /* columns */
  int count;                    /* inputs */
  char sha256[SHA256_HEX_SIZE]; /* of the file */
  char inputs[SHA256_HEX_SIZE]; /* of a folder: of the digests of all inputs' files, one behind the other */
} dataset;

/* numbers: a file is of numbers; else of texts or tokens. path must outlive it; dataset_close is due in every case.
 * Errors: ATTCERT_INPUT (no such file, other columns, no input), ATTCERT_RESOURCE. */
attcert_status dataset_open(dataset *d, const char *path, bool numbers, attcert_error *err);
void dataset_close(dataset *d);

const char *dataset_kind_name(dataset_kind kind);

/* The label's text, the text or the tokens of input i; NULL and a message in err: its line has other columns. */
const char *dataset_label(const dataset *d, int i, attcert_error *err);
const char *dataset_input(const dataset *d, int i, attcert_error *err);

/* The line of the file that input i is of. */
int dataset_line(const dataset *d, int i);

/* x [count] := the numbers of input i. Errors: ATTCERT_INPUT (other than `count` finite numbers). */
attcert_status dataset_numbers(double *x, int count, const dataset *d, int i, attcert_error *err);

/* The path of the file of input i, which free releases. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status dataset_path(char **path, const dataset *d, int i, attcert_error *err);

#endif
