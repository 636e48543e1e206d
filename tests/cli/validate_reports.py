"""Whether reports are as their schemas in src/report/schema say.

usage: validate_reports.py REPORT.json...     prints what is wrong, a line each; exit status 1 where anything is"""
import json
import sys
from pathlib import Path

import jsonschema

SCHEMAS = Path("src/report/schema").resolve()


def faults(path):
    report = json.loads(Path(path).read_text())
    file = SCHEMAS / f"{report['schema'].split('/')[1]}.json"
    schema = json.loads(file.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    resolver = jsonschema.RefResolver(file.as_uri(), schema)
    for error in jsonschema.Draft202012Validator(schema, resolver=resolver).iter_errors(report):
        yield f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message}"


found = [fault for path in sys.argv[1:] for fault in faults(path)]
print("\n".join(found))
sys.exit(bool(found))
