-- A book for each manual portfolio. Whatever has a book goes with it; days and balances have no foreign key, as they are
-- many, and are taken away by forget_portfolio.
alter table books
  add column portfolio_id uuid unique references portfolios,
  drop constraint books_check,
  add constraint books_check check (
    (wallet_id is null) = (network_id is null) and num_nonnulls(wallet_id, connection_id, portfolio_id) = 1);
alter table pl_states
  drop constraint pl_states_book_id_fkey,
  add constraint pl_states_book_id_fkey foreign key (book_id) references books on delete cascade;
create index portfolios_of_wallet on portfolios (address, network_id);

-- Of all portfolios of an account together.
alter table accounts add column cost_method text not null default 'average'
  check (cost_method in ('average', 'fifo', 'lifo', 'hifo'));

-- The book of each portfolio; none while nothing was computed for it.
create view portfolio_books as
  select p.id as portfolio_id, p.account_id, p.cost_method, b.id as book_id
  from portfolios p join books b on b.portfolio_id = p.id
  union all
  select p.id, p.account_id, p.cost_method, b.id from portfolios p join books b on b.connection_id = p.id
  union all
  select p.id, p.account_id, p.cost_method, b.id
  from portfolios p join wallets w on w.address = p.address
  join books b on b.wallet_id = w.id and b.network_id = p.network_id;

-- What is looked at together: one book, all books of a wallet, or those of all portfolios of an account. What is an own
-- transfer, and which lots a sale takes, depends on it.
create table scopes (
  id bigint primary key generated always as identity,
  book_id bigint unique references books on delete cascade,
  wallet_id bigint unique,
  account_id uuid unique references accounts,
  dirty_from timestamptz default 'epoch',  -- its books are other ones since then; null: its transfers are matched
  check (num_nonnulls(book_id, wallet_id, account_id) = 1)
);
insert into scopes (id, book_id, wallet_id, dirty_from) overriding system value
  select id, book_id, wallet_id, null from fold_scopes;
select setval(pg_get_serial_sequence('scopes', 'id'), max(id)) from scopes;
insert into scopes (account_id) select distinct account_id from portfolios;

-- The computed books of each scope.
create view scope_books as
  select s.id as scope_id, b.id as book_id
  from scopes s cross join lateral (
    select s.book_id where s.book_id is not null
    union all
    select w.id from books w where w.wallet_id = s.wallet_id
    union all
    select p.book_id from portfolio_books p where p.account_id = s.account_id
  ) b (id)
  join pl_states p on p.book_id = b.id and p.computed_to is not null;

-- The cost methods that the coin rows of a scope are folded by.
create function scope_methods(scope_id bigint) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select 'average' from scopes s where s.id = $1 and s.account_id is null
  union
  select b.cost_method from portfolio_books b where b.book_id = (select s.book_id from scopes s where s.id = $1)
  union
  select a.cost_method from accounts a where a.id = (select s.account_id from scopes s where s.id = $1)
$$;
revoke all on function scope_methods from public;

-- Own transfers of a scope.
alter table transfer_matches add column scope_id bigint references scopes on delete cascade;
update transfer_matches m set scope_id = s.id
from books b join scopes s on s.wallet_id = b.wallet_id where b.id = m.from_book_id;
delete from transfer_matches where scope_id is null;
alter table transfer_matches
  alter column scope_id set not null,
  drop constraint transfer_matches_pkey,
  add primary key (scope_id, from_book_id, from_tx_id, from_seq);

-- The coin rows of a scope by one cost method.
create table folds (
  id bigint primary key generated always as identity,
  scope_id bigint not null references scopes on delete cascade,
  method text not null check (method in ('average', 'fifo', 'lifo', 'hifo')),
  dirty_from timestamptz default 'epoch',  -- earliest change not yet in coin_folds; null: clean
  folded_at timestamptz,                   -- null: never yet
  revision bigint not null default 0,
  unique (scope_id, method)
);
create index folds_dirty on folds (scope_id) where dirty_from is not null;
insert into folds (id, scope_id, method, dirty_from, folded_at, revision) overriding system value
  select id, id, 'average', dirty_from, folded_at, revision from fold_scopes;
select setval(pg_get_serial_sequence('folds', 'id'), max(id)) from folds;
drop table fold_scopes;

-- With other methods than average the open lots of each unit of account, in the order in which they came in.
alter table coin_folds rename column scope_id to fold_id;
alter table coin_folds
  add foreign key (fold_id) references folds on delete cascade,
  add column lots_usd jsonb,
  add column lots_btc jsonb,
  add column lots_eth jsonb;
alter table coin_moves rename column scope_id to fold_id;
alter table coin_moves add foreign key (fold_id) references folds on delete cascade;

-- Notes that an account has other portfolios, or that the cost method of one of them or of all is another. To be called
-- in the transaction of the change, after mark_manual_dirty where both are due.
create function mark_account_dirty(account_id uuid) returns void language sql as $$
  insert into scopes (account_id) values ($1) on conflict (account_id) do update set dirty_from = 'epoch'
$$;

-- Notes the earliest instant from which transactions of a manual portfolio are others, in the transaction of the change.
create function mark_manual_dirty(portfolio_id uuid, from_at timestamptz) returns void language sql as $$
  insert into books (portfolio_id) values ($1) on conflict do nothing;
  insert into pl_states (book_id, dirty_from) select b.id, $2 from books b where b.portfolio_id = $1
    on conflict (book_id) do update set dirty_from = least(pl_states.dirty_from, excluded.dirty_from)
$$;

-- Takes away a portfolio with all that it alone had. Locks in the order in which a recompute does.
create function forget_portfolio(portfolio_id uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  account uuid;
  book bigint;
begin
  perform from exchange_connections c where c.id = portfolio_id for update;
  select p.account_id into account from portfolios p where p.id = portfolio_id for update;
  if not found then
    return;
  end if;
  select b.id into book from books b where b.connection_id = portfolio_id or b.portfolio_id = portfolio_id;
  perform from pl_states s where s.book_id = book for update;
  perform from scopes s where s.book_id = book or s.account_id = account order by s.id for update;
  perform mark_account_dirty(account);
  delete from pl_days d where d.book_id = book;
  delete from balance_days d where d.book_id = book;
  delete from books b where b.id = book;
  delete from portfolios p where p.id = portfolio_id;
  delete from exchange_legs e where e.connection_id = portfolio_id;
  delete from exchange_transactions e where e.connection_id = portfolio_id;
  delete from exchange_balances e where e.connection_id = portfolio_id;
  delete from exchange_cursors e where e.connection_id = portfolio_id;
  delete from exchange_secrets e where e.connection_id = portfolio_id;
  delete from exchange_connections c where c.id = portfolio_id;
end $$;
revoke all on function forget_portfolio from public;

grant execute on function scope_methods, forget_portfolio to ingest;
grant select, insert, update, delete on scopes, folds to ingest;
grant select on scopes, folds, portfolio_books to api;
grant select on portfolio_books, scope_books to ingest;
