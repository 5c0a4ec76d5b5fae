-- What a fold acquired and disposed of on one UTC day, and from which lots (sparse). db/pnl/lots/lot-uses.ts describes the
-- arrays. Replaced rows are not kept: a row holds a whole day, which every transaction of that day replaces.
create table lot_uses (
  fold_id bigint not null references folds on delete cascade,
  day timestamptz not null,            -- its start
  acquired jsonb not null,
  disposed jsonb not null,
  primary key (fold_id, day)
);

grant select, insert, update, delete on lot_uses to ingest;
grant select on lot_uses to api;
