"""What this folder offers, each name from its module: read by type checkers, and when a name is first used."""

from .choice import AUTO as AUTO
from .choice import ENGINES as ENGINES
from .choice import chosen_engine as chosen_engine
from .choice import engine_of as engine_of
from .choice import engine_of_more as engine_of_more
from .choice import is_final_choice as is_final_choice
from .choice import usual_paths as usual_paths
from .choice import validated_engine as validated_engine
from .chunk import NEVER as NEVER
from .chunk import Cancelled as Cancelled
from .chunk import finished as finished
from .chunk import nothing as nothing
from .chunk import run_chunk as run_chunk
from .continuation import Ended as Ended
from .continuation import continue_chunk as continue_chunk
from .cost_of_step import seconds_of_array_code as seconds_of_array_code
from .room import out_of_memory as out_of_memory
from .room import refuse_what_does_not_fit as refuse_what_does_not_fit
from .room import refuse_without_disk as refuse_without_disk
from .task import Job as Job
from .task import Task as Task
from .tasks import TASK_SECONDS as TASK_SECONDS
from .tasks import Work as Work
from .tasks import chunk_of as chunk_of
from .tasks import execute as execute
from .tasks import usable_cores as usable_cores
