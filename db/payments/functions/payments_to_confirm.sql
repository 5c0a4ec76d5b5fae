-- Settled payments since a block, except those in `transactions`, which are known to be on the chain, and
-- lost ones whose transaction may come back. The caller asks the node about each.
create or replace function payments_to_confirm(chain_id integer, from_block bigint, transactions text[], at_most integer)
returns table (
  payment_id uuid, chain integer, asset text, payer text, nonce text, amount bigint, pay_to text, transaction text,
  block_number bigint, claimed_at timestamptz, valid_before timestamptz, is_lost boolean
)
language sql stable security definer set search_path = public, pg_temp as $$
  (select p.id, p.chain_id, p.asset, p.payer, p.nonce, p.amount, p.pay_to, p.transaction, p.block_number, p.claimed_at,
      p.valid_before, false
    from payments p
    where p.chain_id = payments_to_confirm.chain_id and p.state = 'settled' and p.block_number >= from_block
      and p.transaction <> all (transactions)
    order by p.block_number limit at_most)
  union all
  (select p.id, p.chain_id, p.asset, p.payer, p.nonce, p.amount, p.pay_to, p.transaction, p.block_number, p.claimed_at,
      p.valid_before, true
    from payments p
    where p.chain_id = payments_to_confirm.chain_id and p.state = 'lost'
      and p.valid_before > clock_timestamp() - interval '10 minutes'
    limit at_most)
$$;
revoke all on function payments_to_confirm from public;
grant execute on function payments_to_confirm to gateway;
