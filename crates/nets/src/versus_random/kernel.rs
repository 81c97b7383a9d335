//! prototype
