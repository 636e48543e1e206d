#include "model/head/head_architecture.h"

#include <stdio.h>
#include <string.h>

static const head_architecture architectures[] = {
    {"BertForSequenceClassification", MODEL_BERT, HEAD_SEQUENCE},
    {"BertForTokenClassification", MODEL_BERT, HEAD_TOKEN},
    {"BertModel", MODEL_BERT, HEAD_NONE},
    {"RobertaForSequenceClassification", MODEL_ROBERTA, HEAD_SEQUENCE},
    {"RobertaForTokenClassification", MODEL_ROBERTA, HEAD_TOKEN},
    {"RobertaModel", MODEL_ROBERTA, HEAD_NONE},
    {"XLMRobertaForSequenceClassification", MODEL_ROBERTA, HEAD_SEQUENCE},
    {"XLMRobertaForTokenClassification", MODEL_ROBERTA, HEAD_TOKEN},
    {"XLMRobertaModel", MODEL_ROBERTA, HEAD_NONE},
    {"CamembertForSequenceClassification", MODEL_ROBERTA, HEAD_SEQUENCE},
    {"CamembertForTokenClassification", MODEL_ROBERTA, HEAD_TOKEN},
    {"CamembertModel", MODEL_ROBERTA, HEAD_NONE},
    {"ElectraForSequenceClassification", MODEL_ELECTRA, HEAD_SEQUENCE},
    {"ElectraForTokenClassification", MODEL_ELECTRA, HEAD_TOKEN},
    {"ElectraModel", MODEL_ELECTRA, HEAD_NONE},
    {"DistilBertForSequenceClassification", MODEL_DISTILBERT, HEAD_SEQUENCE},
    {"DistilBertForTokenClassification", MODEL_DISTILBERT, HEAD_TOKEN},
    {"DistilBertModel", MODEL_DISTILBERT, HEAD_NONE},
    {"AlbertForSequenceClassification", MODEL_ALBERT, HEAD_SEQUENCE},
    {"AlbertForTokenClassification", MODEL_ALBERT, HEAD_TOKEN},
    {"AlbertModel", MODEL_ALBERT, HEAD_NONE},
    {"ViTForImageClassification", MODEL_VIT, HEAD_SEQUENCE},
    {"ViTModel", MODEL_VIT, HEAD_NONE},
    {"DeiTForImageClassification", MODEL_DEIT, HEAD_SEQUENCE},
    {"DeiTModel", MODEL_DEIT, HEAD_NONE},
    {"GPT2LMHeadModel", MODEL_GPT2, HEAD_NEXT_TOKEN},
    {"GPT2ForSequenceClassification", MODEL_GPT2, HEAD_SEQUENCE},
    {"GPT2ForTokenClassification", MODEL_GPT2, HEAD_TOKEN},
    {"GPT2Model", MODEL_GPT2, HEAD_NONE},
    {"GPTNeoForCausalLM", MODEL_GPT_NEO, HEAD_NEXT_TOKEN},
    {"GPTNeoForSequenceClassification", MODEL_GPT_NEO, HEAD_SEQUENCE},
    {"GPTNeoForTokenClassification", MODEL_GPT_NEO, HEAD_TOKEN},
    {"GPTNeoModel", MODEL_GPT_NEO, HEAD_NONE},
    {"OPTForCausalLM", MODEL_OPT, HEAD_NEXT_TOKEN},
    {"OPTForSequenceClassification", MODEL_OPT, HEAD_SEQUENCE},
    {"OPTModel", MODEL_OPT, HEAD_NONE},
};
enum { COUNT = sizeof architectures / sizeof architectures[0] };

const head_architecture *head_architecture_find(model_family family, const char *name) {
  for (int i = 0; i < COUNT; i++) {
    if (architectures[i].family == family && strcmp(architectures[i].name, name) == 0) return &architectures[i];
  }
  return NULL;
}

const head_architecture *head_architecture_of(model_family family, head_kind kind) {
  for (int i = 0; i < COUNT; i++) {
    if (architectures[i].family == family && architectures[i].kind == kind) return &architectures[i];
  }
  return NULL;
}

const char *head_architecture_list(char text[HEAD_ARCHITECTURES_TEXT_SIZE], model_family family) {
  const char *name[COUNT];
  int count = 0, length = 0;
  for (int i = 0; i < COUNT; i++) {
    if (architectures[i].family == family && architectures[i].kind != HEAD_NONE) name[count++] = architectures[i].name;
  }
  text[0] = '\0';
  for (int i = 0; i < count; i++) {
    const char *const separator = i == 0 ? "" : i == count - 1 ? " or " : ", ";
    length += snprintf(text + length, (size_t)(HEAD_ARCHITECTURES_TEXT_SIZE - length), "%s%s", separator, name[i]);
  }
  return text;
}
