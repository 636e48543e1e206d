/* Changes of a layer and its input that keep ||D_X f||_2, or multiply it by a known power of two. All are exact in
 * floating point, so that the changed layer has exactly the changed norm. */
#ifndef ATTCERT_TESTS_SUPPORT_LAYER_TRANSFORM_H
#define ATTCERT_TESTS_SUPPORT_LAYER_TRANSFORM_H

#include "random_layer.h"

enum { NOT_APPLICABLE = -100000 };

typedef struct {
  const char *name;
  /* to: a new case with ||D f_to|| = 2^e ||D f_from||; returns e. NOT_APPLICABLE: nothing was made of this case. */
  int (*apply)(layer_case *to, const layer_case *from, random_source *r);
} layer_transform;

int layer_transforms(void);
const layer_transform *layer_transform_get(int i);

#endif
