"""The wheel: the Python package with the program and the library, made by make, and what they load."""

import os
import re
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
VERSION = re.search(r'^#define ATTCERT_VERSION "(.*)"', (HERE / "src/attcert.h").read_text(), re.M)[1]


class Build(build_py):
    """Adds the folder lib, which src/install/wheel fills."""

    platform = ""

    def run(self):
        super().run()
        into = Path(self.build_lib).resolve() / "attcert/lib"
        make = ["make", "-s", f"-j{os.cpu_count()}", "wheel-files", f"INTO={into}"]
        made = subprocess.run(make, cwd=HERE, check=True, stdout=subprocess.PIPE, text=True)
        Build.platform = made.stdout.splitlines()[-1]


class Binary(Distribution):
    """One with compiled files."""

    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    """Of any Python 3, of one platform."""

    def get_tag(self):
        return "py3", "none", Build.platform


setup(version=VERSION, package_dir={"": "src/python"}, cmdclass={"build_py": Build, "bdist_wheel": Wheel},
      distclass=Binary, packages=["attcert", "attcert.modules"], package_data={"attcert": ["py.typed"]})
