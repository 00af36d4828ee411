//! Finds credentials in text and replaces them by markers
