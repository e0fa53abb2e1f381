"""Reports: built, read in the page, downloaded, compared; models over several studies."""
