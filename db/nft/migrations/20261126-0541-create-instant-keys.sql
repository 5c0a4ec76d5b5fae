-- Keys that the worker made for itself at a source that gives them away. They end after some days.
create table instant_keys (
  source text primary key,
  key text not null,
  made_at timestamptz not null,
  expires_at timestamptz not null
);

grant select, insert, update, delete on instant_keys to ingest;
