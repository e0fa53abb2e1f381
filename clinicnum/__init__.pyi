from clinicnum.api.agreement import agreement as agreement
from clinicnum.api.benchmark import Benchmark as Benchmark
from clinicnum.api.benchmark import generate as generate
from clinicnum.api.benchmark import lint_benchmark as lint_benchmark
from clinicnum.api.benchmark import load_benchmark as load_benchmark
from clinicnum.api.report import report as report
from clinicnum.api.report import verify as verify
from clinicnum.api.scores import Scores as Scores
from clinicnum.api.scores import load_scores as load_scores
from clinicnum.api.scores import measure_robustness as measure_robustness
from clinicnum.api.scores import score as score
from clinicnum.api.scores import suggest as suggest
from clinicnum.errors import InputError as InputError
from clinicnum.slices.find_slices import find_slices as find_slices
from clinicnum.types import Generation as Generation
from clinicnum.types import Instance as Instance

__version__: str
