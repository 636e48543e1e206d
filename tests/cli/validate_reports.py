"""Whether reports, and the rows of data sets, are as their schemas in src/report/schema say.

usage: validate_reports.py (REPORT.json | ROWS.csv)...     prints what is wrong, a line each; exit status 1 where
anything is"""
import csv
import json
import sys
from pathlib import Path

import jsonschema

SCHEMAS = Path("src/report/schema").resolve()


def faults(path, value, part=""):
    """Of a value, by its schema or a part of that."""
    file = SCHEMAS / f"{value['schema'].split('/')[1] if 'schema' in value else 'dataset'}.json"
    schema = json.loads(file.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    resolver = jsonschema.RefResolver(file.as_uri(), schema)
    asked = {"$ref": file.as_uri() + part} if part else schema
    for error in jsonschema.Draft202012Validator(asked, resolver=resolver).iter_errors(value):
        yield f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message}"


def row_faults(path):
    head, *lines = Path(path).read_text().splitlines()
    yield from faults(path, json.loads(head.removeprefix("# ")), "#/$defs/rows_header")
    for row in csv.DictReader(lines):
        numbers = {name: field if name in ("verdict", "error") else json.loads(field) for name, field in row.items() if field}
        yield from faults(path, {**dict.fromkeys(row), **numbers}, "#/$defs/row")


found = [fault for path in sys.argv[1:]
         for fault in (row_faults(path) if path.endswith(".csv") else faults(path, json.loads(Path(path).read_text())))]
print("\n".join(found))
sys.exit(bool(found))
