/* Row i of attention of a head, over the positions of N(i): views of the arrays of the head. */
#ifndef ATTCERT_KERNEL_HEAD_ATTENTION_HEAD_ROW_H
#define ATTCERT_KERNEL_HEAD_ATTENTION_HEAD_ROW_H

#include "kernel/row/attention_row.h"
#include "kernel/head/attention_head.h"

/*@ requires valid: \valid_read(head) && head_sides(head) && 0 <= i < head->n;
    terminates \true;
    assigns \result \from *head, i;
    ensures positions: \result.n == attended_keys(head->mask, i, head->n) && 1 <= \result.n <= head->n;
    ensures sides: \result.k == head->head_dim && \result.root == head->root;
    ensures weights: \result.weights == head->weights + row(i, head->n);
    ensures query: \result.query == head->query + row(i, head->head_dim);
    ensures output: \result.output == head->output + row(i, head->head_dim);
    ensures rows: \result.keys == head->key && \result.values == head->value; */
attention_row_view attention_head_row(const attention_head *head, int i);

#endif
