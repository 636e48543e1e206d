/* Every option of every command, in the order of option_id. */
#include "cli/option_value.h"

#include <limits.h>

static const char *const mask_names[] = {"none", "causal", NULL}; /* in the order of attcert_mask */
static const char *const engine_names[] = {"auto", "mpfr", "dense", "pointwise", NULL}; /* of attcert_engine */
static const char *const format_names[] = {"text", "json", NULL};

#define FIELD(member) .field = offsetof(cli_options, member)

const option_row option_table[OPTION_COUNT] = {
    [OPTION_WEIGHTS] = {"weights", "FILE", "attention layer in the generic safetensors layout", OPTIONS_LAYER,
                        option_value_text, FIELD(weights)},
    [OPTION_MODEL] = {"model", "MODEL",
                      "Hugging Face folder of a BERT or GPT-2, random:bert or random:gpt2[:d,heads,layers]",
                      OPTIONS_LAYER, option_value_text, FIELD(model)},
    [OPTION_SEED] = {"seed", "S", "seed of a random model (default 0)", OPTIONS_LAYER, option_value_seed, FIELD(seed)},
    [OPTION_LAYER] = {"layer", "L", "which layer of the model, from 0", OPTIONS_LAYER, option_value_int, FIELD(layer),
                      .min = 0, .max = INT_MAX},
    [OPTION_INPUT] = {"input", "X.npy", "input of the attention layer itself, n x d", OPTIONS_LAYER, option_value_text,
                      FIELD(input)},
    [OPTION_HIDDEN] = {"hidden", "H.npy", "hidden states that enter the model's layer 0, n x d", OPTIONS_LAYER,
                       option_value_text, FIELD(hidden)},
    [OPTION_TEXT] = {"text", "FILE", "text to tokenize and run through the model up to the layer", OPTIONS_LAYER,
                     option_value_text, FIELD(text)},
    [OPTION_TOKENS] = {"tokens", "N", "how many tokens of the text", OPTIONS_LAYER, option_value_int, FIELD(tokens),
                       .min = 1, .max = INT_MAX},
    [OPTION_OFFSET] = {"offset", "T", "first token used (default 0)", OPTIONS_LAYER, option_value_int, FIELD(offset),
                       .min = 0, .max = INT_MAX},
    [OPTION_TOKENIZER] = {"tokenizer", "PATH", "folder or file (default: the model folder's; random models: bytes)",
                          OPTIONS_LAYER, option_value_text, FIELD(tokenizer)},
    [OPTION_MASK] = {"mask", "none|causal", "attention mask (default: the model's; none with --weights)", OPTIONS_LAYER,
                     option_value_choice, FIELD(mask), .names = mask_names},
    [OPTION_HEADS] = {"heads", "all|H", "the layer, or head H alone without the output projection (default all)",
                      OPTIONS_LAYER, option_value_heads, FIELD(head), .min = 0, .max = INT_MAX},
    [OPTION_ENGINE] = {"engine", "auto|mpfr|dense|pointwise", "how the upper bound is computed (default auto)",
                       OPTIONS_RUN, option_value_choice, FIELD(engine), .names = engine_names},
    [OPTION_PRECISION] = {"precision", "BITS",
                          "bits of the interval arithmetic to start from, 53 to 65536 (default 128)", OPTIONS_RUN,
                          option_value_int, FIELD(precision), .min = 53, .max = 65536},
    [OPTION_TOLERANCE] = {"tolerance", "REL", "asked relative width; exit status 1 when it is not met", OPTIONS_RUN,
                          option_value_positive, FIELD(tolerance)},
    [OPTION_THREADS] = {"threads", "N", "threads to use (default: one a processor)", OPTIONS_RUN, option_value_int,
                        FIELD(threads), .min = 1, .max = 4096},
    [OPTION_MEMORY_LIMIT] = {"memory-limit", "SIZE",
                             "memory the run may use, such as 800M or 2G (default: what is free)", OPTIONS_RUN,
                             option_value_size, FIELD(memory_limit)},
    [OPTION_NO_BOUNDS] = {"no-bounds", NULL, "leave out the theory's bounds, which evaluate the layer once more",
                          OPTIONS_CERTIFY, option_value_switch, FIELD(no_bounds)},
    [OPTION_RADIUS_OF_INPUTS] = {"radius-of-inputs", "R",
                                 "radius of the ball of T1 - T5, T9, T10 (default: the smallest found)", OPTIONS_BOUNDS,
                                 option_value_positive, FIELD(radius)},
    [OPTION_ESTIMATE] = {"estimate", "VALUE", "the number to check: decimal or 0x hexadecimal", OPTIONS_CHECK,
                         option_value_text, FIELD(estimate)},
    [OPTION_VECTOR] = {"vector", "U.npy", "the direction it came from, n x d: its own value is certified too",
                       OPTIONS_CHECK, option_value_text, FIELD(vector)},
    [OPTION_SLACK] = {"slack", "REL", "relative distance from the enclosure still called consistent (default 0)",
                      OPTIONS_CHECK, option_value_positive, FIELD(slack)},
    [OPTION_FORMAT] = {"format", "text|json", "of the report (default text)", OPTIONS_REPORT, option_value_choice,
                       FIELD(format), .names = format_names},
    [OPTION_OUTPUT] = {"output", "FILE", "write the report there, whole or not at all (default: standard output)",
                       OPTIONS_REPORT, option_value_text, FIELD(output)},
    [OPTION_VECTOR_OUT] = {"vector-out", "U.npy", "save the direction that certifies the lower end", OPTIONS_SAVE,
                           option_value_text, FIELD(vector_out)},
    [OPTION_SAVE_INPUT] = {"save-input", "X.npy", "save the layer input that was certified", OPTIONS_SAVE,
                           option_value_text, FIELD(save_input)},
    [OPTION_HELP] = {"help", NULL, "print this help", OPTIONS_HELP, option_value_switch, FIELD(help)},
};
