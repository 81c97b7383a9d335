//! The papers' tables, as users run them.
