-- What operators did, in the console and by `sluice`. Rows are only added.
create table operator_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  operator text not null,              -- subject of the identity, or the user of the shell
  action text not null,
  subject text not null                -- what it was done to
);
create index operator_actions_by_time on operator_actions (at desc, id desc);

-- It has another parameter now: who asks.
drop function if exists retry_quarantined(bigint);
