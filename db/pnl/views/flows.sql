-- Coins that came into a fold from outside or left it, at their market value then. Own transfers of its scope are not here.
create or replace view flows as
select fold_id, day, coin_id, acquired_at as at, seq, book_id, tx_id, quantity, worth_usd as flow_usd
from acquisitions where reason = 'receipt'
union all
select fold_id, day, coin_id, disposed_at, seq, book_id, tx_id, -sum(quantity), -sum(proceeds_usd)
from disposals where reason = 'send' group by fold_id, day, coin_id, disposed_at, seq, book_id, tx_id;
grant select on flows to ingest;
