/* The input in a report: where it came from, and its tokens, each with its number. */
#ifndef ATTCERT_REPORT_SUBJECT_INPUT_H
#define ATTCERT_REPORT_SUBJECT_INPUT_H

#include "report/fact_writer.h"
#include "report/subject.h"

/* "tokens     0 [CLS]  1 good ...", in lines of at most 120 columns where no token is longer; of more than 64 tokens
 * the first and the last 32. Nothing where the input is not known as tokens. */
void subject_print_tokens(FILE *out, const report_subject *s);

/* "input": FILE, and of a text "tokenizer", "offset" and "special_tokens", into the object that is open. */
void subject_write_input(json_writer *w, const report_subject *s);

/* "tokens": [{"id": 101, "text": "[CLS]"}, ...], all of them; text is null where no vocabulary is known. Nothing where
 * the input is not known as tokens. */
void subject_write_tokens(json_writer *w, const report_subject *s);

/* The rest of a report's object "source", which is open: the input, the files with the SHA-256 of each ("inputs"), the
 * tokens; as text the line "input      FILE, 5 tokens from token 0 on (WordPiece, with special tokens)", the tokens, a
 * line "sha256" a file. */
void subject_write_source(fact_writer *f, const report_subject *s);

/* What the mask and the biases of pairs are, where there are some: "pairs", "mask_file" and "bias_file" of the object
 * that is open; the line of the text, later. */
void subject_write_pairs(json_writer *w, const report_subject *s);
void subject_tell_pairs(const fact_writer *f, const report_subject *s);

/* KEY: of each file that was read its role, path and SHA-256. */
void subject_write_file_list(json_writer *w, const char *key, const report_subject *s);

/* subject_write_source without the input, after the object. */
void subject_write_files(fact_writer *f, const report_subject *s);

#endif
