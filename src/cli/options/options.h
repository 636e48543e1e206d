/* What the command line asks for. One table (option_table.c) describes every option: the parser (options.c), the rules
 * on which options go together (option_rules.c) and the help (help.c) all read it, so they cannot disagree. */
#ifndef ATTCERT_CLI_OPTIONS_OPTIONS_H
#define ATTCERT_CLI_OPTIONS_OPTIONS_H

#include "attcert.h"
#include "base/process_group.h"
#include "report/sweep/sweep_radii.h"
#include "report/sweep/sweep_range.h"

typedef enum {
  OPTION_NONE,
  OPTION_WEIGHTS,
  OPTION_NUM_HEADS,
  OPTION_MODEL,
  OPTION_ONNX,
  OPTION_SEED,
  OPTION_LAYER,
  OPTION_INPUT,
  OPTION_HIDDEN,
  OPTION_TEXT,
  OPTION_TOKEN_IDS,
  OPTION_SPECIAL_TOKENS,
  OPTION_TOKENS,
  OPTION_OFFSET,
  OPTION_N,
  OPTION_SEQUENCES,
  OPTION_STARTS,
  OPTION_STEPS,
  OPTION_SEED_OF_STARTS,
  OPTION_TOKENIZER,
  OPTION_MASK,
  OPTION_BIAS,
  OPTION_CONTEXT,
  OPTION_BY,
  OPTION_HEADS,
  OPTION_FUNCTION,
  OPTION_ENGINE,
  OPTION_PRECISION,
  OPTION_TOLERANCE,
  OPTION_THREADS,
  OPTION_MEMORY_LIMIT,
  OPTION_SCRATCH,
  OPTION_FAILURE,
  OPTION_SEED_OF_BITS,
  OPTION_NO_BOUNDS,
  OPTION_RADIUS,
  OPTION_BALL,
  OPTION_NORM,
  OPTION_WORDS,
  OPTION_MASK_INPUT,
  OPTION_BOX,
  OPTION_SYNONYMS,
  OPTION_ENUMERATE,
  OPTION_RADIUS_OF_INPUTS,
  OPTION_ESTIMATE,
  OPTION_VECTOR,
  OPTION_SLACK,
  OPTION_DTYPE,
  OPTION_FORMAT,
  OPTION_OUTPUT,
  OPTION_PLOT,
  OPTION_VECTOR_OUT,
  OPTION_SAVE_INPUT,
  OPTION_CERTIFICATE,
  OPTION_ARCHITECTURE,
  OPTION_TOKEN,
  OPTION_LABEL,
  OPTION_POSITIONS,
  OPTION_TOP,
  OPTION_SEARCH,
  OPTION_RELATIVE,
  OPTION_ATTACK,
  OPTION_EXECUTION,
  OPTION_ULP,
  OPTION_FOLD_LAYERNORM,
  OPTION_PROPAGATION,
  OPTION_LENGTH,
  OPTION_SAMPLES,
  OPTION_SEED_OF_WALKS,
  OPTION_TIMEOUT,
  OPTION_DATASET,
  OPTION_JOBS,
  OPTION_PLAN,
  OPTION_HELP,
  OPTION_COUNT
} option_id;

/* Which options a command takes, as bits. */
typedef enum {
  OPTIONS_MODEL = 1,     /* a layer of a model */
  OPTIONS_WEIGHTS = 2,   /* a layer from a weights file */
  OPTIONS_TEXT = 4,      /* a text */
  OPTIONS_INPUT = 8,     /* one input */
  OPTIONS_RUN = 16,      /* how to certify */
  OPTIONS_CERTIFY = 32,  /* whether to evaluate the theory's bounds */
  OPTIONS_BOUNDS = 64,   /* where to evaluate them */
  OPTIONS_CHECK = 128,   /* someone else's numbers */
  OPTIONS_SWEEP = 256,   /* many inputs */
  OPTIONS_FORMAT = 512,  /* how to report */
  OPTIONS_OUTPUT = 1024, /* where to */
  OPTIONS_SAVE = 2048,   /* what to save besides */
  OPTIONS_WORST = 4096,  /* how to search */
  OPTIONS_BALL = 8192,   /* a ball around the input */
  OPTIONS_HELP = 16384,
  OPTIONS_NETWORK = 32768,   /* a whole model around one input */
  OPTIONS_ROBUST = 65536,    /* a ball around it */
  OPTIONS_SPECTRUM = 131072, /* a layer, with or without an input */
  OPTIONS_FUNCTION = 262144, /* what of a model is certified */
  OPTIONS_PREDICT = 524288,  /* the answer of a whole model at one input */
  OPTIONS_VNNLIB = 1048576,  /* a question about a network */
  OPTIONS_MASK = 2097152,    /* a mask that has a name */
  OPTIONS_VERIFY = 33554432, /* where what a certificate names is now */
  OPTIONS_LAYER = OPTIONS_MODEL | OPTIONS_WEIGHTS | OPTIONS_TEXT | OPTIONS_INPUT, /* a layer at one input */
  OPTIONS_REPORT = OPTIONS_FORMAT | OPTIONS_OUTPUT
} option_group;

enum {
  HEADS_ALL = -1,
  DEFAULT_SEQUENCES = 10,
  DEFAULT_STARTS = 4,
  DEFAULT_STEPS = 300,
  DEFAULT_LENGTH = 64,
  DEFAULT_SAMPLES = 1000,
  DEFAULT_TOP = 5,
  LABEL_LARGEST = -1
};
enum { FORMAT_TEXT, FORMAT_JSON };
enum { SPECIAL_ON, SPECIAL_OFF };
enum { POSITIONS_LAST, POSITIONS_ALL };

/* What an option that may be given again has been given further. */
enum { OPTION_MOST_FURTHER = 16 };
typedef struct {
  int count;
  const char *text[OPTION_MOST_FURTHER];
} option_texts;

/* The one or the other. */
typedef struct {
  int named;        /* attcert_mask */
  const char *file; /* NULL: named */
} option_mask;

typedef struct {
  bool given[OPTION_COUNT];
  const char *argument[OPTION_COUNT];  /* as it was given; NULL: of a switch, or not given */
  const char *weights, *model;         /* the layer */
  const char *onnx;                    /* a network */
  const char *input, *hidden, *text;   /* its input */
  int input_name;                      /* how many characters before the = of --input name it; 0: none do */
  option_texts constants;              /* further inputs of a network, NAME=FILE */
  const char *token_ids;               /* likewise: a list, or a file (option_token_ids.h) */
  int special_tokens;                  /* SPECIAL_ON or SPECIAL_OFF, when given */
  const char *tokenizer;               /* NULL: the model folder's, or bytes */
  int num_heads;                       /* of the weights file; 0: it says so itself */
  uint64_t seed;                       /* of a random model */
  int layer, tokens, offset;           /* of the model, of the text */
  sweep_range n;                       /* how many tokens each input of a sweep has */
  int sequences;                       /* how many inputs of each length */
  int starts, steps;                   /* random starts of a search, steps from each start */
  uint64_t seed_of_starts;             /* of the random ones */
  const char *architecture;            /* the model's class; NULL: as config.json says */
  int token;                           /* that is classified, when given */
  const char *label;                   /* of the answer, a number or a name; NULL: the one the model gives */
  int positions;                       /* POSITIONS_LAST or POSITIONS_ALL */
  int top;                             /* how many scores of an answer are told */
  sweep_radii radius;                  /* of the ball around the input, when given: those of a sweep, or the first */
  bool search;                         /* for the largest such radius */
  double relative;                     /* how close it has to be */
  int execution;                       /* 0: exact; k + 1: in float_formats[k] */
  int ulp;                             /* of its functions */
  int attack;                          /* steps of each ascent for an input that flips; 0: none */
  bool fold_layernorm;                 /* its gain into the matrices of the heads */
  bool propagation;                    /* with the propagation probability */
  int length, samples;                 /* of its random walks */
  uint64_t seed_of_walks;              /* likewise */
  option_mask mask;                    /* when given */
  const char *bias;                    /* of scores, a file; NULL: none */
  const char *context;                 /* whose tokens are keys and values; NULL: those of the input */
  int by;                              /* cross_by, when given */
  int head;                            /* HEADS_ALL or one head's index */
  int engine;                          /* attcert_engine */
  int precision, threads;              /* as in attcert_options */
  double tolerance;                    /* likewise */
  uint64_t memory_limit;               /* likewise */
  const char *scratch;                 /* likewise */
  double failure;                      /* likewise */
  uint64_t seed_of_bits;               /* likewise the seed, when given */
  int function;                        /* model_function, when given */
  bool no_bounds;                      /* certify without the theory's bounds */
  int ball;                            /* ball_kind_id */
  int norm;                            /* of ball_norm_names, when given; `ball` has it then */
  const char *words;                   /* the tokens that move, "all" or "I,J" */
  const char *mask_input;              /* which entries of the input move, a file; NULL: all */
  const char *box_least, *box_most;    /* the files of a box; NULL: none */
  const char *synonyms;                /* which words may stand where, a file; NULL: none */
  int enumerate;                       /* how many combinations of them are tried one by one, at most */
  double radius_of_inputs;             /* of the ball that they are in; 0: the smallest that holds the tokens */
  const char *estimate, *vector;       /* someone else's norm and direction */
  double slack;                        /* relative distance at which an estimate still counts as consistent */
  int dtype;                           /* of float_formats, when given: the one whose rounding it is instead */
  int format;                          /* FORMAT_TEXT or FORMAT_JSON */
  const char *output;                  /* NULL: standard output */
  const char *plot;                    /* NULL: not drawn */
  const char *vector_out, *save_input; /* NULL: not saved */
  const char *certificate;             /* likewise */
  bool help;
  const attcert_process_group *group; /* who runs the command; NULL: this process alone */
  const char *operand;                /* the FILE of `info`, the NET.onnx of `vnnlib` */
  const char *second_operand;         /* its PROP.vnnlib */
  double timeout;                     /* seconds; 0: none */
  const char *dataset;                /* NULL: one input */
  int jobs;                           /* inputs of it at a time; 0: one a processor */
  bool plan;                          /* what the run would take is all that is asked */
} cli_options;

typedef struct option_row option_row;

/* Stores text's value into *field, or fails naming the option and what was expected. */
typedef attcert_status option_parser(void *field, const option_row *row, const char *text, attcert_error *err);

/* One row of the table: an option, as the commands of these groups take it. */
struct option_row {
  option_id id;
  const char *name;     /* without the dashes */
  const char *argument; /* NULL: the option is a switch */
  const char *help;
  option_group group;
  option_parser *parse;
  size_t field;             /* offset in cli_options */
  size_t second;            /* likewise of a second text behind the first; 0: there is none */
  size_t further;           /* likewise of option_texts; 0: it is given once */
  int64_t min, max;         /* of an integer */
  const char *const *names; /* of a choice, in the order of its values; NULL ends the list */
};

/* Rows of the table with the one that ends it, which has no name: --radius and --mask have three each. */
enum { OPTION_ROWS = OPTION_COUNT + 4 };

extern const option_row option_table[];

/* A sub-command. */
typedef struct cli_command {
  const char *name, *summary;
  const char *operand;   /* NULL: none taken */
  int operands;          /* how many that are; 0: one, where there is any */
  unsigned groups;       /* of option_group */
  option_id required[4]; /* OPTION_NONE ends the list */
  attcert_status (*run)(const cli_options *options, attcert_error *err);
} cli_command;

bool options_takes(const cli_command *command, const option_row *row);

/* The option's row that the command takes; NULL: none. */
const option_row *options_row(const cli_command *command, option_id id);

/* Reads argv[1..] (argv[0] is the command's name). Checks each value and the rules between options. */
attcert_status options_parse(cli_options *options, const cli_command *command, int argc, char **argv,
                             attcert_error *err);

/* The rules alone: contradictions, options that need another, options the command requires. */
attcert_status option_rules_check(const cli_options *options, const cli_command *command, attcert_error *err);

#endif
