/* A network and the data set that --dataset names: the inputs one by one, each with the steps that it goes through. */
#ifndef ATTCERT_CLI_SOURCE_DATASET_SOURCE_H
#define ATTCERT_CLI_SOURCE_DATASET_SOURCE_H

#include "cli/options/options.h"
#include "dataset/dataset.h"
#include "model/model.h"
#include "model/tokenizer/tokenizer.h"
#include "onnx/onnx_network.h"
#include "report/subject.h"
#include "robust/network.h"

#include <pthread.h>

typedef struct {
  const cli_options *options;
  dataset data;
  onnx_network onnx; /* of --onnx */
  model *model;      /* of --model, read by one thread at a time */
  pthread_mutex_t reading;
  model_head head;
  tokenizer *tokenizer; /* of texts */
  bool special;         /* put special tokens around them */
  report_subject subject;
} dataset_source;

typedef struct {
  robust_network own;         /* of a model: the steps for as many tokens as this input has */
  const network_steps *steps; /* that one's, or those of all inputs */
  attcert_matrix x;
  int label;
} dataset_item;

/* dataset_source_close is due in every case. Errors: ATTCERT_INPUT, ATTCERT_RESOURCE. */
attcert_status dataset_source_open(dataset_source *source, const cli_options *options, attcert_error *err);
void dataset_source_close(dataset_source *source);

/* Input i, from any thread; dataset_item_clear is due in every case. item->label is -1 where it is not known. Errors:
 * ATTCERT_INPUT (the input or its label), ATTCERT_RESOURCE. */
attcert_status dataset_source_item(dataset_item *item, dataset_source *source, int i, attcert_error *err);
void dataset_item_clear(dataset_item *item);

#endif
