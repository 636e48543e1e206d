#include "robust/network.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

/* *list grows to twice its capacity when it is full. */
static attcert_status make_room(void **list, int *capacity, int count, size_t element, attcert_error *err) {
  if (count < *capacity) return ATTCERT_OK;
  const int more = 2 * *capacity + 32;
  void *const larger = array_new((size_t)more, element, err, "a network of %d steps", more);
  if (larger == NULL) return ATTCERT_RESOURCE;
  if (count > 0) memcpy(larger, *list, (size_t)count * element);
  free(*list);
  *list = larger;
  *capacity = more;
  return ATTCERT_OK;
}

attcert_status robust_network_add(int *value, robust_network *network, const step *s, attcert_error *err) {
  void *list = network->step;
  const attcert_status status = make_room(&list, &network->capacity, network->count, sizeof *s, err);
  network->step = list;
  if (status != ATTCERT_OK) return status;
  network->step[network->count++] = *s;
  *value = network->count;
  return ATTCERT_OK;
}

attcert_status robust_network_array(double **numbers, robust_network *network, size_t count, attcert_error *err) {
  void *list = network->owned;
  const attcert_status status =
      make_room(&list, &network->owned_capacity, network->owned_count, sizeof *network->owned, err);
  network->owned = list;
  if (status != ATTCERT_OK) return status;
  *numbers = array_new(count, sizeof **numbers, err, "weights of %zu numbers", count);
  if (*numbers == NULL) return ATTCERT_RESOURCE;
  network->owned[network->owned_count++] = *numbers;
  return ATTCERT_OK;
}

void robust_network_last_uses(int *last, const robust_network *network) {
  for (int v = 0; v <= network->count; v++) last[v] = -1;
  for (int s = 0; s < network->count; s++) {
    for (int k = 0; k < network->step[s].inputs; k++) last[network->step[s].input[k]] = s;
  }
}

void robust_network_clear(robust_network *network) {
  for (int i = 0; i < network->owned_count; i++) free(network->owned[i]);
  free(network->owned);
  free(network->step);
  *network = (robust_network){0};
}
