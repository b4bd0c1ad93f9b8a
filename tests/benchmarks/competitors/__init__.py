"""Who steps the problems: one file each, imported only in the process that runs it."""
