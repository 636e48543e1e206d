/* The number that Hugging Face tokenizers reads where a correct reader reads `value`. serde_json, unless asked for
 * more, takes a decimal's digits as one integer, rounds it to a double and divides by the power of ten, rounding again:
 * of 17 digits that is off by a unit in the last place now and then, which decides between cuts whose scores are equal
 * but for that. The decimal is taken to be the shortest one that is read as `value`, as serde_json and Python write it.
 */
#ifndef ATTCERT_MODEL_TOKENIZER_MODEL_SERDE_NUMBER_H
#define ATTCERT_MODEL_TOKENIZER_MODEL_SERDE_NUMBER_H

/* value: finite. */
double serde_number(double value);

#endif
