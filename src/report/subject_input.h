/* The input in a report: where it came from, and its tokens, each with its number. */
#ifndef ATTCERT_REPORT_SUBJECT_INPUT_H
#define ATTCERT_REPORT_SUBJECT_INPUT_H

#include "report/json_writer.h"
#include "report/subject.h"

#include <stdio.h>

/* The line "input      FILE, 5 tokens from token 0 on (WordPiece, with special tokens)", then the tokens. */
void subject_print_input(FILE *out, const report_subject *s);

/* "tokens     0 [CLS]  1 good ...", in lines of at most 120 columns where no token is longer; of more than 64 tokens
 * the first and the last 32. Nothing where the input is not known as tokens. */
void subject_print_tokens(FILE *out, const report_subject *s);

/* "input": FILE, and of a text "tokenizer", "offset" and "special_tokens", into the object that is open. */
void subject_write_input(json_writer *w, const report_subject *s);

/* "tokens": [{"id": 101, "text": "[CLS]"}, ...], all of them; text is null where no vocabulary is known. Nothing where
 * the input is not known as tokens. */
void subject_write_tokens(json_writer *w, const report_subject *s);

#endif
