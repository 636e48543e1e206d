#include "certify/explicit/explicit_jacobian_output.h"

#include "kernel/linear/index.h"

#ifdef __FRAMAC__
#include "explicit_jacobian/builder_lemmas.acsl"
#include "explicit_jacobian/output_lemmas.acsl"
#include "interval/interval_life_lemmas.acsl"
#include "interval/interval_matrix_lemmas.acsl"
#endif

head_output explicit_jacobian_output(const jacobian_builder *b, int head) {
  const int k = b->e->head_dim, first = row_offset(head, k, b->e->heads);
  const head_output output = {.weight = b->output != NULL ? b->output + first : NULL,
                              .width = row_offset(b->e->heads, k, b->e->heads),
                              .k = k,
                              .height = b->height};
  //@ assert columns: 0 <= first && first + k <= output.width == output_width(b);
  /*@ assert rows: \forall integer o; 0 <= o < b->layer->out_dim ==>
        0 <= row(o, output.width) && row(o, output.width) + output.width <= output_points(b); */
  //@ assert begin: 0 < b->layer->out_dim && 0 <= row(0, output.width) == 0 && first + k <= output_points(b);
  //@ assert there: b->output != \null ==> \valid_read(output.weight);
  //@ assert null: b->output == \null <==> output.weight == \null;
  //@ assert output: is_head_output(b, output, head);
  /*@ assert row_points: b->output != \null ==> \forall integer o; 0 <= o < output.height ==>
        points(b->output + (first + row(o, output.width)), k); */
  /*@ assert row_live: b->output != \null ==> \forall integer o; 0 <= o < output.height ==>
        live_points(b->output + (first + row(o, output.width)), k); */
  /*@ assert row_valid: b->output != \null ==> \forall integer o; 0 <= o < output.height ==>
        \valid_read(b->output + (first + row(o, output.width)) + (0 .. k - 1)); */
  /*@ assert row_readable: b->output != \null ==> \forall integer o; 0 <= o < output.height ==>
        output_row_readable(b->output + (first + row(o, output.width)), k); */
  /*@ assert row_places: b->output != \null ==> \forall integer o;
        output.weight + row(o, output.width) == b->output + (first + row(o, output.width)); */
  //@ assert readable_weighted: output.weight != \null ==> head_output_readable(output);
  //@ assert readable_copied: output.weight == \null ==> head_output_readable(output);
  //@ assert readable: head_output_readable(output);
  /*@ assert entries: b->output != \null ==> \forall rvec w; is_vec(b->output, w, 0, output_points(b)) ==>
        \forall integer o; 0 <= o < output.height ==>
        is_vec(b->output + (row(head, k) + row(o, output.width)),
               matrix_row(matrix_row(w, k, head), output.width, o), 0, k); */
  return output;
}
