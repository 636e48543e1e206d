/* The spectra of a layer's heads, with what an input and random walks add. */
#ifndef ATTCERT_SPECTRUM_LAYER_H
#define ATTCERT_SPECTRUM_LAYER_H

#include "spectrum/attention.h"
#include "spectrum/head.h"
#include "spectrum/propagation/propagation.h"
#include "spectrum/propagation/random_walk.h"

/* What to evaluate. */
typedef struct {
  const attcert_layer *layer; /* whose queries are those of W times 2^query_exponent, exactly */
  int query_exponent;
  const double *gain;      /* of a LayerNorm folded into W; NULL: none */
  const attcert_matrix *x; /* NULL: no input */
  spectrum_walk walk;      /* length 0: no propagation; samples 0: no random walks */
} spectrum_request;

typedef struct {
  int heads, length, points; /* points: heads length */
  spectrum_head *head;
  bool has_attention;
  spectrum_attention attention;
  spectrum_propagation *propagation; /* [heads][length] */
  spectrum_frequency *walk;          /* [heads][length]; NULL: none */
} spectrum_layer;

/* spectrum_layer_clear is due in every case. Errors: ATTCERT_RESOURCE. */
attcert_status spectrum_layer_enclose(spectrum_layer *s, const spectrum_request *request, attcert_error *err);
void spectrum_layer_clear(spectrum_layer *s);

#endif
