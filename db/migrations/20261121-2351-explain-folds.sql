-- A month of a fold is folded again by whoever asks what its figures are made of: over the books of its scope.
grant select on scope_books to api;
