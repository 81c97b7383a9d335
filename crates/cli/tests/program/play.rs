//! Playing, as users meet it.
