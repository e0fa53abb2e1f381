"""The public functions of `import clinicnum`: files and frames in, frames out."""
