-- Assigns payments without a known outcome, which no live process holds, to a process. `only_id`: only this
-- one. `asked`: the facilitator was asked to settle it; `ended`: the authorization has expired; `abandoned`:
-- it expired over 10 minutes ago, so no facilitator will settle it.
create or replace function take_open_payments(owner uuid, only_id uuid, at_most integer) returns table (
  payment_id uuid, chain_id integer, asset text, payer text, nonce text, amount bigint, request text,
  claimed_at timestamptz, asked boolean, ended boolean, abandoned boolean
)
language sql security definer set search_path = public, pg_temp as $$
  update payments p set owner = take_open_payments.owner, try_after = clock_timestamp() + interval '90 seconds',
      settles = p.settles + 1
    where p.id in (
      select o.id from payments o
      where o.state in ('settling', 'unknown') and (only_id is null or o.id = only_id)
        and (o.try_after <= clock_timestamp() or (o.owner is not null and not payment_is_held(o.owner, o.try_after)))
      order by o.try_after limit at_most for update skip locked)
    returning p.id, p.chain_id, p.asset, p.payer, p.nonce, p.amount, p.request, p.claimed_at,
      p.state = 'unknown', p.valid_before <= clock_timestamp(), p.valid_before <= clock_timestamp() - interval '10 minutes'
$$;
revoke all on function take_open_payments from public;
grant execute on function take_open_payments to gateway;
