#include "cli/job_list.h"

#include "base/process_group.h"

/* Before a piece, and after it. */
static attcert_status open_piece(job_list *l, attcert_error *err) {
  const attcert_status status = l->piecewise ? output_open(&l->out, NULL, err) : ATTCERT_OK;
  if (l->piecewise) l->list.f.text = l->out.stream;
  return status;
}

static attcert_status close_piece(job_list *l, attcert_error *err) {
  return l->piecewise ? output_close(&l->out, ATTCERT_OK, err) : ATTCERT_OK;
}

attcert_status job_list_begin(job_list *l, const cli_options *o, int asked, attcert_error *err) {
  const bool json = o->format == FORMAT_JSON;
  *l = (job_list){.writes = process_group_reports(o->group), .piecewise = !json && o->output == NULL};
  if (!l->writes) return ATTCERT_OK;
  const attcert_status status = l->piecewise ? ATTCERT_OK : output_open(&l->out, o->output, err);
  if (status == ATTCERT_OK) report_list_begin(&l->list, l->out.stream, json, asked);
  return status;
}

attcert_status job_list_add(job_list *l, const report *r, attcert_error *err) {
  const attcert_status status = l->writes ? open_piece(l, err) : ATTCERT_OK;
  if (!l->writes || status != ATTCERT_OK) return status;
  report_list_add(&l->list, r);
  return close_piece(l, err);
}

attcert_status job_list_add_failure(job_list *l, const char *input, const char *reason, attcert_error *err) {
  const attcert_status status = l->writes ? open_piece(l, err) : ATTCERT_OK;
  if (!l->writes || status != ATTCERT_OK) return status;
  report_list_add_failure(&l->list, input, reason);
  return close_piece(l, err);
}

attcert_status job_list_end(job_list *l, attcert_status status, const char *incomplete, attcert_error *err) {
  const attcert_status opened = l->writes ? open_piece(l, err) : ATTCERT_OK;
  if (!l->writes || opened != ATTCERT_OK) return opened != ATTCERT_OK ? opened : status;
  report_list_end(&l->list, incomplete);
  return output_close(&l->out, status, err);
}
