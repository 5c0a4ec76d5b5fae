-- Every documented status of a transfer has a meaning now. Where one was put aside for its status, the lists are read
-- again with the next sync, and so are Coinbase's, whose expired entries counted.
delete from exchange_cursors where stream <> 'fills' and connection_id in (
  select id from exchange_connections where venue = 'coinbase' or venue in (
    select source from quarantine where area = 'exchanges' and reason like 'status: %'
  )
);
delete from quarantine where area = 'exchanges' and reason like 'status: %';
