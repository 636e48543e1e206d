/* A tensor on the way through an ONNX graph: of each entry, which entry of which value of the network it is, or which
 * number. Reshapes, transposes, slices move entries and compute nothing. */
#ifndef ATTCERT_ONNX_ONNX_TENSOR_H
#define ATTCERT_ONNX_ONNX_TENSOR_H

#include "attcert.h"

enum { ONNX_RANK_MOST = 8 };

/* Sides, the last one varies fastest. */
typedef struct {
  int rank;
  int64_t side[ONNX_RANK_MOST];
} onnx_shape;

/* What a tensor stands for, where that is no step yet: the operators that follow say which step it becomes. */
typedef enum {
  ONNX_PLAIN,        /* what its entries say */
  ONNX_PRODUCT,      /* of[0] times the matrix of of[1]: a bias may follow */
  ONNX_SCORES,       /* the product of of[0] and of[1], times scale, by the root of divided_by; plus of[2], or NULL */
  ONNX_WEIGHTS,      /* the softmax of those scores */
  ONNX_MEAN,         /* of the last side of of[0] */
  ONNX_CENTERED,     /* of[0] less that mean */
  ONNX_SQUARES,      /* its squares */
  ONNX_VARIANCE,     /* their mean, plus epsilon */
  ONNX_DEVIATION,    /* its root */
  ONNX_STANDARDIZED, /* of[0] less its mean, by that root; times the numbers of of[1], unless NULL */
  ONNX_SIGMOID,      /* of of[0] */
  ONNX_SCALED,       /* of[0] times scale, by divided_by; a step all the same, as are those that mean nothing more */
  ONNX_SQUARE,       /* of[0]^2 */
  ONNX_CUBE,         /* of[0]^3 times scale */
  ONNX_BENT,         /* (of[0] + scale of[0]^3) times factor */
  ONNX_ERF,          /* the error function of of[0] */
  ONNX_TANH,         /* of of[0] */
  ONNX_GATE          /* (1 + f) times scale, f of one of these two kinds: of[0] */
} onnx_meaning;

typedef struct onnx_tensor onnx_tensor;
struct onnx_tensor {
  onnx_shape shape;
  size_t count;
  int value;      /* of the network; -1: it holds numbers alone */
  int *entry;     /* [count]: that of the value, -1: a number; NULL: numbers alone */
  double *number; /* [count]; NULL: it holds none; both NULL: a meaning that is no step yet */
  onnx_meaning meaning;
  onnx_tensor *of[3];
  double scale, divided_by, epsilon, factor;
  bool masks; /* a constant with numbers that are -inf, for scores alone */
};

/* Entries of a shape; 0 where there are none, too many for a network, or a side is negative. */
size_t onnx_shape_count(const onnx_shape *shape);

bool onnx_shape_equal(const onnx_shape *a, const onnx_shape *b);

/* The shape that numpy's rules broadcast both to; false: none. */
bool onnx_shape_broadcast(onnx_shape *to, const onnx_shape *a, const onnx_shape *b);

/* The place of axis, counted from the end where it is negative; -1: there is none. */
int onnx_shape_axis(const onnx_shape *shape, int64_t axis);

/* "[1, 3, 32, 32]" */
enum { ONNX_SHAPE_TEXT_SIZE = 24 * ONNX_RANK_MOST };
const char *onnx_shape_text(char text[ONNX_SHAPE_TEXT_SIZE], const onnx_shape *shape);

/* Zeros, or entries that say nothing yet. numbers: it holds numbers; entries: also others. NULL where out of memory. */
onnx_tensor *onnx_tensor_new(const onnx_shape *shape, bool entries, bool numbers, attcert_error *err);
void onnx_tensor_free(onnx_tensor *t);

static inline bool onnx_tensor_is_constant(const onnx_tensor *t) {
  return t->number != NULL && t->entry == NULL;
}

static inline int64_t onnx_shape_last(const onnx_shape *shape) {
  return shape->rank > 0 ? shape->side[shape->rank - 1] : 1;
}

/* Entry `to` of t := entry `from` of another tensor of the same value, or of numbers alone. */
void onnx_tensor_take(onnx_tensor *t, size_t to, const onnx_tensor *other, size_t from);

#endif
