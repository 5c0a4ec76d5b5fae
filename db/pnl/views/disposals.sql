-- What each transaction disposed of of a coin, by fold and lot. By `average` all lots of a coin are one, whose acquisition
-- is not kept. A part that was never acquired has no acquisition either, and no cost.
-- `income_usd`: what a lot of income was worth when it was received. Its cost is 0, so the gain has that worth again.
create or replace view disposals as
select p.fold_id, p.day, p.coin_id, p.disposed_at, p.seq, p.position, p.reason, p.book_id, p.tx_id, p.acquired_at,
  a.book_id as acquired_book_id, a.tx_id as acquired_tx_id, p.quantity, p.proceeds_usd, p.cost_usd, p.fee_usd,
  p.proceeds_usd - p.cost_usd as gain_usd,
  floor(extract(epoch from p.disposed_at - p.acquired_at) / 86400)::integer as holding_days, p.uncovered,
  case when a.reason = 'income' then a.worth_usd * p.quantity / nullif(a.quantity, 0) end as income_usd
from (
  select u.fold_id, u.day, d.use ->> 0 as coin_id,
    'epoch'::timestamptz + (d.use ->> 1)::bigint * interval '1 millisecond' as disposed_at,
    (d.use ->> 2)::integer as seq, l.position::integer as position, d.use ->> 3 as reason,
    (d.use ->> 4)::bigint as book_id, d.use ->> 5 as tx_id,
    'epoch'::timestamptz + (l.part ->> 0)::bigint * interval '1 millisecond' as acquired_at,
    (l.part ->> 1)::integer as acquired_seq,
    (l.part ->> 2)::numeric as quantity, (l.part ->> 3)::numeric as proceeds_usd,
    coalesce((l.part ->> 4)::numeric, 0) as cost_usd, coalesce((l.part ->> 5)::numeric, 0) as fee_usd,
    l.part ->> 4 is null as uncovered
  from lot_uses u cross join lateral jsonb_array_elements(u.disposed) as d (use)
  cross join lateral jsonb_array_elements(d.use -> 6) with ordinality as l (part, position)
) as p
left join acquisitions a on a.fold_id = p.fold_id and a.acquired_at = p.acquired_at and a.seq = p.acquired_seq;
grant select on disposals to ingest, api;
