-- The lots that each fold holds after its last entry, in the order of arrival. By `average` all lots of a coin are one,
-- whose date is not kept.
create or replace view open_lots as
select f.id as fold_id, c.coin_id, coalesce(l.position, 1)::integer as position,
  'epoch'::timestamptz + (l.lot ->> 0)::bigint * interval '1 millisecond' as acquired_at,
  case when l.lot is null then c.quantity else (l.lot ->> 2)::numeric end as quantity,
  case when l.lot is null then c.cost_usd else (l.lot ->> 3)::numeric end as cost_usd,
  a.book_id as acquired_book_id, a.tx_id as acquired_tx_id
from folds f
cross join lateral fold_coins(f.id) as held (coin_id)
cross join lateral (
  select s.coin_id, s.quantity, s.cost_usd, s.lots_usd from coin_folds s
  where s.fold_id = f.id and s.coin_id = held.coin_id order by s.month desc limit 1
) as c
left join lateral jsonb_array_elements(c.lots_usd) with ordinality as l (lot, position) on true
left join acquisitions a on a.fold_id = f.id and a.seq = (l.lot ->> 1)::integer
  and a.acquired_at = 'epoch'::timestamptz + (l.lot ->> 0)::bigint * interval '1 millisecond'
where l.lot is not null or (c.lots_usd is null and c.quantity <> 0);
grant select on open_lots to ingest;
