"""Which method suits a system, by what is proved of it and what methods do in short runs."""
