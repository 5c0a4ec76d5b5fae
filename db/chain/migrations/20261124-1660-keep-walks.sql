-- Where a source that pages backwards goes on: {headBlock, settled, lookBack, next}. Null: no range is half read.
alter table wallet_syncs add column walk jsonb;
