"""Runs the cells of notebooks, each from its own folder, and prints what they print; exit status 1 where a cell fails.

usage: run_notebooks.py NOTEBOOK.ipynb...     without the cells that need Frama-C (tag raises-exception)"""
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

for path in map(Path, sys.argv[1:]):
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    notebook.cells = [cell for cell in notebook.cells if "raises-exception" not in cell.metadata.get("tags", [])]
    try:
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(path.parent)}}).execute()
    except CellExecutionError as failure:
        sys.exit(f"{path.name}: {failure}")
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        print(output.get("text", ""), end="")
    print(f"{path.name}: ran {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")
