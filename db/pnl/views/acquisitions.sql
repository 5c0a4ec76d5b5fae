-- What each transaction acquired of a coin, by fold. `worth_usd` of income: its market value, though it cost nothing.
create or replace view acquisitions as
select u.fold_id, u.day, a.use ->> 0 as coin_id,
  'epoch'::timestamptz + (a.use ->> 1)::bigint * interval '1 millisecond' as acquired_at,
  (a.use ->> 2)::integer as seq, a.use ->> 3 as reason, a.use ->> 9 as role,
  (a.use ->> 4)::bigint as book_id, a.use ->> 5 as tx_id,
  (a.use ->> 6)::numeric as quantity, (a.use ->> 7)::numeric as cost_usd, (a.use ->> 8)::numeric as worth_usd
from lot_uses u cross join lateral jsonb_array_elements(u.acquired) as a (use);
grant select on acquisitions to ingest, api;
