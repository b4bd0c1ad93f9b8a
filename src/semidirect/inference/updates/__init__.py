"""The updates of filters, one file each; a new one is a new file, found by :mod:`semidirect.inference.choose_update`."""
