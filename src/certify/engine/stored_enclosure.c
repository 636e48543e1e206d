#include "certify/engine/stored_enclosure.h"

#include "base/layer_check.h"

attcert_status stored_enclosure(layer_enclosure *e, const attcert_layer *layer, const attcert_matrix *x,
                                mpfr_prec_t precision, int threads, attcert_error *err) {
  attcert_status status = layer_check(layer, x, err);
  //@ ghost Checked:;
  if (status != ATTCERT_OK) return status;
  //@ assert kept_checked: layer_kept{Pre, Here}(layer, x);
  //@ assert still_given: layer_given(layer, x) && input_outside(e, layer, x, err);
  //@ assert structs_outside: outside_layer_room(\base_addr(layer)) && outside_layer_room(\base_addr(x));
  //@ assert tokens_outside: outside_layer_room(\base_addr(x->data));
  //@ assert query_outside: outside_layer_room(\base_addr(layer->query_weight));
  //@ assert key_outside: outside_layer_room(\base_addr(layer->key_weight));
  //@ assert value_outside: outside_layer_room(\base_addr(layer->value_weight));
  //@ assert query_bias_outside: outside_layer_room(\base_addr(layer->query_bias));
  //@ assert key_bias_outside: outside_layer_room(\base_addr(layer->key_bias));
  //@ assert output_outside: outside_layer_room(\base_addr(layer->output_weight));
  status = layer_enclosure_init(e, layer, x, precision, threads, err);
  if (status != ATTCERT_OK) return status;
  //@ assert same_dim: layer->dim == \at(layer->dim, Checked);
  //@ assert same_heads: layer->heads == \at(layer->heads, Checked);
  //@ assert same_head_dim: layer->head_dim == \at(layer->head_dim, Checked);
  //@ assert same_out_dim: layer->out_dim == \at(layer->out_dim, Checked);
  //@ assert same_mask: layer->mask == \at(layer->mask, Checked);
  //@ assert same_query_weight: layer->query_weight == \at(layer->query_weight, Checked);
  //@ assert same_key_weight: layer->key_weight == \at(layer->key_weight, Checked);
  //@ assert same_value_weight: layer->value_weight == \at(layer->value_weight, Checked);
  //@ assert same_output_weight: layer->output_weight == \at(layer->output_weight, Checked);
  //@ assert same_query_bias: layer->query_bias == \at(layer->query_bias, Checked);
  //@ assert same_key_bias: layer->key_bias == \at(layer->key_bias, Checked);
  //@ assert same_rows: x->rows == \at(x->rows, Checked);
  //@ assert same_cols: x->cols == \at(x->cols, Checked);
  //@ assert same_data: x->data == \at(x->data, Checked);
  //@ assert sides: sides_kept{Checked, Here}(layer, x);
  /*@ assert kept_tokens: entries_same{Checked, Here}(\at(x->data, Checked), \at(row(x->rows, x->cols), Checked)); */
  /*@ assert kept_query: entries_same{Checked, Here}(\at(layer->query_weight, Checked),
        \at(row(width(layer), layer->dim), Checked)); */
  /*@ assert kept_key: entries_same{Checked, Here}(\at(layer->key_weight, Checked),
        \at(row(width(layer), layer->dim), Checked)); */
  /*@ assert kept_value: entries_same{Checked, Here}(\at(layer->value_weight, Checked),
        \at(row(width(layer), layer->dim), Checked)); */
  /*@ assert kept_query_bias: layer->query_bias != \null ==>
        entries_same{Checked, Here}(\at(layer->query_bias, Checked), \at(width(layer), Checked)); */
  /*@ assert kept_key_bias: layer->key_bias != \null ==>
        entries_same{Checked, Here}(\at(layer->key_bias, Checked), \at(width(layer), Checked)); */
  /*@ assert kept_output: layer->output_weight != \null ==>
        entries_same{Checked, Here}(\at(layer->output_weight, Checked),
          \at(row(layer->out_dim, width(layer)), Checked)); */
  //@ assert since_checked: layer_kept{Checked, Here}(layer, x);
  return status;
}
