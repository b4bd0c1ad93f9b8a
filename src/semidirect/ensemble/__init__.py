"""Running many paths: engines, chunks, executors, statistics and stores."""
