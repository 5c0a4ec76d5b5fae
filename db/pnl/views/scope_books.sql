-- The computed books of each scope.
create or replace view scope_books as
  select s.id as scope_id, b.id as book_id
  from scopes s cross join lateral (
    select s.book_id where s.book_id is not null
    union all
    select w.id from books w where w.wallet_id = s.wallet_id
    union all
    select p.book_id from portfolio_books p where p.account_id = s.account_id
  ) b (id)
  join pl_states p on p.book_id = b.id and p.computed_to is not null;
grant select on scope_books to ingest;
-- The API reads it to fold a month again when it explains a figure.
grant select on scope_books to api;
