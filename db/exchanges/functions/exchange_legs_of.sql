-- The legs of a transaction; none before it is settled.
create or replace function exchange_legs_of(t exchange_transactions) returns table (role text, asset text, delta numeric)
language sql immutable as $$
  select leg.role, leg.asset, leg.delta
  from (values ('base', t.asset, t.amount), ('quote', t.quote_asset, t.quote_amount), ('fee', t.fee_asset, -t.fee_amount))
    leg (role, asset, delta)
  where t.status = 'ok' and leg.asset is not null and leg.delta <> 0
$$;
