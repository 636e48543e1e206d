/* Components of a tokenizer that a text passes one after the other: one alone, or those of a "Sequence". */
#ifndef ATTCERT_MODEL_TOKENIZER_TEXT_COMPONENT_LIST_H
#define ATTCERT_MODEL_TOKENIZER_TEXT_COMPONENT_LIST_H

#include "model/tokenizer/text/component.h"

/* What each kind of component has, whatever it does: the first member of the struct that says the rest. */
typedef struct {
  const char *type;        /* in the JSON */
  const char *const *keys; /* beside "type"; NULL: none */
  /* *settings is what the component gets; NULL: there are none. On failure nothing is left allocated. */
  attcert_status (*open)(void **settings, const component *c, attcert_error *err);
  void (*close)(void *settings);
} component_kind;

/* The kinds that are known. */
typedef struct {
  const component_kind *const *kind; /* NULL at the end */
  const char *types;                 /* theirs and "Sequence", for messages */
  const char *elements;              /* the key of a sequence's list */
  /* Refuses what is possible in front of all others alone. NULL: nothing. */
  attcert_status (*check_behind)(const component *c, attcert_error *err);
} component_kinds;

typedef struct {
  const component_kind *kind;
  void *settings;
} component_step;

typedef struct {
  component_step *step;
  size_t count, capacity;
} component_list;

/* ATTCERT_INPUT names a component, or a key of one, that is not known; *list = NULL on failure. A sequence of sequences
 * is one. */
attcert_status component_list_open(component_list **list, const component *c, const component_kinds *known,
                                   attcert_error *err);
void component_list_close(component_list *list);

#endif
