-- How an operator has one book treat what came in for nothing, instead of what db/pnl/legs/roles.ts says for all.
create table role_treatments (
  book_id bigint not null references books on delete cascade,
  role text not null check (role in ('airdrop', 'reward', 'interest', 'rebase')),
  treatment text not null check (treatment in ('income', 'flow')),
  asked_by text not null,              -- the user who typed the command
  asked_at timestamptz not null,
  primary key (book_id, role)
);
grant select on role_treatments to ingest, api;
