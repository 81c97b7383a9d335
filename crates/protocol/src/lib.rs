//! The program as an engine for others: JSON lines, GTP 2 and NBoard 2.
