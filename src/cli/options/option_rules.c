/* Which options go together, as two tables: pairs that contradict each other, and options that need another one. */
#include "cli/options/options.h"

static const struct {
  option_id one, other;
} contradictions[] = {
    {OPTION_WEIGHTS, OPTION_MODEL},
    {OPTION_NUM_HEADS, OPTION_MODEL},
    {OPTION_WEIGHTS, OPTION_LAYER},
    {OPTION_WEIGHTS, OPTION_SEED},
    {OPTION_WEIGHTS, OPTION_HIDDEN},
    {OPTION_WEIGHTS, OPTION_TEXT},
    {OPTION_INPUT, OPTION_TEXT},
    {OPTION_INPUT, OPTION_HIDDEN},
    {OPTION_HIDDEN, OPTION_TEXT},
    {OPTION_TOKEN_IDS, OPTION_WEIGHTS},
    {OPTION_TOKEN_IDS, OPTION_INPUT},
    {OPTION_TOKEN_IDS, OPTION_HIDDEN},
    {OPTION_TOKEN_IDS, OPTION_TEXT},
    {OPTION_TOKEN_IDS, OPTION_TOKENS},
    {OPTION_TOKEN_IDS, OPTION_OFFSET},
    {OPTION_TOKEN_IDS, OPTION_SPECIAL_TOKENS},
    {OPTION_N, OPTION_TOKEN_IDS},
    {OPTION_N, OPTION_SPECIAL_TOKENS},
    {OPTION_N, OPTION_RADIUS},
    {OPTION_N, OPTION_INPUT},
    {OPTION_N, OPTION_HIDDEN},
    {OPTION_N, OPTION_TOKENS},
    {OPTION_N, OPTION_BALL},
    {OPTION_N, OPTION_NORM},
    {OPTION_N, OPTION_WORDS},
    {OPTION_SEQUENCES, OPTION_RADIUS},
    {OPTION_RADIUS, OPTION_SEARCH},
    {OPTION_SYNONYMS, OPTION_RADIUS},
    {OPTION_SYNONYMS, OPTION_SEARCH},
    {OPTION_SYNONYMS, OPTION_BALL},
    {OPTION_SYNONYMS, OPTION_NORM},
    {OPTION_SYNONYMS, OPTION_WORDS},
    {OPTION_SYNONYMS, OPTION_MASK_INPUT},
    {OPTION_SYNONYMS, OPTION_BOX},
    {OPTION_SYNONYMS, OPTION_ONNX},
    {OPTION_SYNONYMS, OPTION_HIDDEN},
    {OPTION_SYNONYMS, OPTION_EXECUTION},
    {OPTION_SYNONYMS, OPTION_PLOT},
    {OPTION_SYNONYMS, OPTION_CERTIFICATE},
    {OPTION_BOX, OPTION_RADIUS},
    {OPTION_BOX, OPTION_SEARCH},
    {OPTION_BOX, OPTION_BALL},
    {OPTION_BOX, OPTION_NORM},
    {OPTION_BOX, OPTION_WORDS},
    {OPTION_BOX, OPTION_MASK_INPUT},
    {OPTION_SLACK, OPTION_DTYPE},
    {OPTION_FUNCTION, OPTION_WEIGHTS},
    {OPTION_CONTEXT, OPTION_FUNCTION},
    {OPTION_CONTEXT, OPTION_HEADS},
    {OPTION_CONTEXT, OPTION_RADIUS},
    {OPTION_CONTEXT, OPTION_HIDDEN},
    {OPTION_CONTEXT, OPTION_TEXT},
    {OPTION_CONTEXT, OPTION_TOKEN_IDS},
    {OPTION_TOKEN, OPTION_POSITIONS},
    {OPTION_ONNX, OPTION_MODEL},
    {OPTION_ONNX, OPTION_HIDDEN},
    {OPTION_ONNX, OPTION_TEXT},
    {OPTION_ONNX, OPTION_TOKEN_IDS},
    {OPTION_ONNX, OPTION_SEED},
    {OPTION_ONNX, OPTION_ARCHITECTURE},
    {OPTION_ONNX, OPTION_TOKEN},
    {OPTION_ONNX, OPTION_POSITIONS},
    {OPTION_ONNX, OPTION_EXECUTION},
    {OPTION_DATASET, OPTION_INPUT},
    {OPTION_DATASET, OPTION_HIDDEN},
    {OPTION_DATASET, OPTION_TEXT},
    {OPTION_DATASET, OPTION_TOKEN_IDS},
    {OPTION_DATASET, OPTION_TOKENS},
    {OPTION_DATASET, OPTION_OFFSET},
    {OPTION_DATASET, OPTION_WORDS},
    {OPTION_DATASET, OPTION_LABEL},
    {OPTION_DATASET, OPTION_PLOT},
    {OPTION_DATASET, OPTION_SAVE_INPUT},
    {OPTION_DATASET, OPTION_CERTIFICATE},
    {OPTION_DATASET, OPTION_BOX},
    {OPTION_DATASET, OPTION_MASK_INPUT},
    {OPTION_DATASET, OPTION_SYNONYMS},
    {OPTION_PLAN, OPTION_DATASET},
    {OPTION_PLAN, OPTION_SYNONYMS},
    {OPTION_PLAN, OPTION_PLOT},
    {OPTION_PLAN, OPTION_SAVE_INPUT},
    {OPTION_PLAN, OPTION_CERTIFICATE},
    {OPTION_ONNX, OPTION_MASK},
    {OPTION_ONNX, OPTION_BIAS},
};

static const struct {
  option_id given, needed;
} needs[] = {
    {OPTION_NUM_HEADS, OPTION_WEIGHTS},    {OPTION_LAYER, OPTION_MODEL},
    {OPTION_SEED, OPTION_MODEL},           {OPTION_MODEL, OPTION_LAYER},
    {OPTION_WEIGHTS, OPTION_INPUT},        {OPTION_HIDDEN, OPTION_MODEL},
    {OPTION_INPUT, OPTION_ONNX},           {OPTION_ONNX, OPTION_INPUT},
    {OPTION_TEXT, OPTION_MODEL},           {OPTION_TEXT, OPTION_TOKENS},
    {OPTION_TOKENS, OPTION_TEXT},          {OPTION_OFFSET, OPTION_TEXT},
    {OPTION_TOKENIZER, OPTION_TEXT},       {OPTION_SPECIAL_TOKENS, OPTION_TEXT},
    {OPTION_TOKEN_IDS, OPTION_MODEL},      {OPTION_BALL, OPTION_RADIUS},
    {OPTION_NORM, OPTION_RADIUS},          {OPTION_WORDS, OPTION_RADIUS},
    {OPTION_FOLD_LAYERNORM, OPTION_MODEL}, {OPTION_LENGTH, OPTION_PROPAGATION},
    {OPTION_SAMPLES, OPTION_PROPAGATION},  {OPTION_SEED_OF_WALKS, OPTION_PROPAGATION},
    {OPTION_RELATIVE, OPTION_SEARCH},      {OPTION_ULP, OPTION_EXECUTION},
    {OPTION_ENUMERATE, OPTION_SYNONYMS},   {OPTION_MASK_INPUT, OPTION_RADIUS},
    {OPTION_DATASET, OPTION_OUTPUT},       {OPTION_JOBS, OPTION_DATASET},
    {OPTION_CONTEXT, OPTION_INPUT},        {OPTION_BY, OPTION_CONTEXT},
};

static const char *name_of(const cli_command *command, option_id id) {
  return options_row(command, id)->name;
}

static attcert_status check_apart(const cli_options *options, const cli_command *command, option_id one,
                                  option_id other, attcert_error *err) {
  if (!options->given[one] || !options->given[other]) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "--%s and --%s contradict each other: expected one of them",
                      name_of(command, one), name_of(command, other));
}

static attcert_status check_contradictions(const cli_options *options, const cli_command *command, attcert_error *err) {
  attcert_status status = ATTCERT_OK;
  for (size_t i = 0; i < sizeof contradictions / sizeof contradictions[0] && status == ATTCERT_OK; i++)
    status = check_apart(options, command, contradictions[i].one, contradictions[i].other, err);
  return status;
}

/* A whole model at or around one input. */
static bool takes_network(const cli_command *command) {
  return (command->groups & (OPTIONS_NETWORK | OPTIONS_PREDICT)) != 0;
}

/* What a command can do without: a sweep over lengths chooses the tokens itself, a whole network takes all of the text
 * and may search for the radius, a certificate has the question itself, token ids may have a tokenizer that shows them,
 * spectra need no input, a data set has them all. */
static bool is_optional(const cli_options *options, const cli_command *command, option_id id) {
  return (command->groups & OPTIONS_VERIFY) != 0 || (options->given[OPTION_N] && id == OPTION_TOKENS) ||
         (options->given[OPTION_BOX] && id == OPTION_INPUT) ||
         (takes_network(command) && (id == OPTION_TOKENS || id == OPTION_RADIUS)) ||
         (options->given[OPTION_TOKEN_IDS] && id == OPTION_TEXT) ||
         (options->given[OPTION_DATASET] && (id == OPTION_TEXT || id == OPTION_INPUT || id == OPTION_SEARCH)) ||
         ((command->groups & OPTIONS_SPECTRUM) != 0 && id == OPTION_INPUT);
}

/* An option that the command does not take is not needed. */
static attcert_status check_needs(const cli_options *options, const cli_command *command, attcert_error *err) {
  for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
    if (options->given[needs[i].given] && !options->given[needs[i].needed] &&
        options_row(command, needs[i].needed) != NULL && !is_optional(options, command, needs[i].needed))
      return attcert_fail(err, ATTCERT_INPUT, "--%s: expected --%s with it", name_of(command, needs[i].given),
                          name_of(command, needs[i].needed));
  }
  return ATTCERT_OK;
}

static bool names_tokens(const cli_options *options) {
  return options->given[OPTION_TEXT] || options->given[OPTION_TOKEN_IDS];
}

static attcert_status check_sources(const cli_options *options, const cli_command *command, attcert_error *err) {
  if ((command->groups & OPTIONS_WEIGHTS) != 0 && !options->given[OPTION_WEIGHTS] && !options->given[OPTION_MODEL])
    return attcert_fail(err, ATTCERT_INPUT, "no layer is named: expected --weights or --model");
  if ((command->groups & OPTIONS_INPUT) != 0 && !options->given[OPTION_INPUT] && !options->given[OPTION_HIDDEN] &&
      !names_tokens(options))
    return attcert_fail(err, ATTCERT_INPUT, "no input is named: expected --input, --hidden, --text or --token-ids");
  return ATTCERT_OK;
}

/* A sweep over the lengths of a text, or over the radii of balls around an input, which the theory's bounds enclose. */
static attcert_status check_sweep(const cli_options *options, const cli_command *command, attcert_error *err) {
  if (options_row(command, OPTION_N) == NULL) return ATTCERT_OK;
  if (options->given[OPTION_RADIUS]) return check_apart(options, command, OPTION_NO_BOUNDS, OPTION_RADIUS, err);
  if (!options->given[OPTION_N]) return attcert_fail(err, ATTCERT_INPUT, "%s: expected --n or --radius", command->name);
  if (options->given[OPTION_TEXT]) return ATTCERT_OK;
  return attcert_fail(err, ATTCERT_INPUT, "%s: expected --text with --n", command->name);
}

/* A network has one input, or a data set; a ball has a radius, or the search finds it. */
static attcert_status check_network(const cli_options *options, const cli_command *command, attcert_error *err) {
  const bool network = takes_network(command), onnx = options->given[OPTION_ONNX];
  if (network && !options->given[OPTION_MODEL] && !onnx)
    return attcert_fail(err, ATTCERT_INPUT, "no network is named: expected --model or --onnx");
  if (options->given[OPTION_DATASET]) return ATTCERT_OK;
  if (network && !onnx && !options->given[OPTION_HIDDEN] && !names_tokens(options) && !options->given[OPTION_BOX])
    return attcert_fail(err, ATTCERT_INPUT, "no input is named: expected --hidden, --text or --token-ids");
  if ((command->groups & OPTIONS_ROBUST) != 0 && !options->given[OPTION_RADIUS] && !options->given[OPTION_SEARCH] &&
      !options->given[OPTION_BOX] && !options->given[OPTION_SYNONYMS])
    return attcert_fail(err, ATTCERT_INPUT, "no radius is named: expected --radius, --search, --box or --synonyms");
  return ATTCERT_OK;
}

/* Options of one engine's. */
static attcert_status check_engine(const cli_options *options, const cli_command *command, attcert_error *err) {
  static const struct {
    option_id given;
    attcert_engine engine;
    bool or_auto;
  } rows[] = {{OPTION_SCRATCH, ATTCERT_ENGINE_DENSE, false},
              {OPTION_FAILURE, ATTCERT_ENGINE_RANDOM, true},
              {OPTION_SEED_OF_BITS, ATTCERT_ENGINE_RANDOM, true}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const bool fits =
        options->engine == (int)rows[i].engine || (rows[i].or_auto && options->engine == ATTCERT_ENGINE_AUTO);
    if (options->given[rows[i].given] && !fits)
      return attcert_fail(err, ATTCERT_INPUT, "--%s: expected --engine %s%s with it", name_of(command, rows[i].given),
                          attcert_engine_name(rows[i].engine), rows[i].or_auto ? " or auto" : "");
  }
  return ATTCERT_OK;
}

attcert_status option_rules_check(const cli_options *options, const cli_command *command, attcert_error *err) {
  attcert_status status = check_contradictions(options, command, err);
  if (status == ATTCERT_OK) status = check_sweep(options, command, err);
  if (status == ATTCERT_OK) status = check_needs(options, command, err);
  if (status == ATTCERT_OK) status = check_sources(options, command, err);
  if (status == ATTCERT_OK) status = check_network(options, command, err);
  if (status == ATTCERT_OK) status = check_engine(options, command, err);
  for (const option_id *id = command->required; *id != OPTION_NONE && status == ATTCERT_OK; id++) {
    if (!options->given[*id])
      status = attcert_fail(err, ATTCERT_INPUT, "%s: expected --%s", command->name, name_of(command, *id));
  }
  return status;
}
