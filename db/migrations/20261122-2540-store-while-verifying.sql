-- The answer of a payment is stored while the facilitator verifies it: 'settling' says that the answer is stored, not any
-- more that the payment is good. A process that dies meanwhile leaves a payment of which nobody knows whether it was
-- verified, or settled: it is looked up on the chain, and settled only when its payer presents it again, who else may
-- have been told that it was refused, and have paid anew. 'unknown' it is once the facilitator was asked to settle it.

-- Stores the answer. Only after this has been committed, and the payment verified, may the facilitator be asked to
-- settle. False: the claim is another one's by now.
create or replace function store_payment(
  payment_id uuid, claim uuid, request text, status_code integer, content_type text, headers jsonb, body bytea
) returns boolean
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
declare
  valid_before timestamptz;
begin
  -- Longer than the facilitator may take for both of its answers.
  update payments p set state = 'settling', settles = 1, request = request, try_after = clock_timestamp() + interval '60 seconds'
    where p.id = payment_id and p.claim = claim and p.state = 'claimed'
    returning p.valid_before into valid_before;
  if not found then
    return false;
  end if;
  insert into payment_answers (payment_id, status_code, content_type, headers, body, expires_at)
    values (payment_id, status_code, content_type, headers, body, valid_before + interval '1 hour');
  return true;
end $$;

-- Gives a claim back, whose payment was never to be settled: the authorization was not used and can be used again. False:
-- it is in other hands by now.
drop function release_payment(uuid, uuid);
create function release_payment(payment_id uuid, claim uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  delete from payments p where p.id = payment_id and p.claim = claim
    and (p.state = 'claimed' or (p.state = 'settling' and p.settles = 1));
  return found;
end $$;

-- Records a proven payment, once; the row says with which transaction. None: it has failed before. Raises
-- unique_violation when the transaction has paid for another call. Not `durable`: a crash of the server may lose it, which
-- is for whoever can ask the chain again; the answer is safe since before.
drop function settle_payment(uuid, text, text);
create function settle_payment(payment_id uuid, transaction text, extra text, durable boolean default true)
returns table (settled_transaction text, settled_extra text, settled_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
begin
  if not durable then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  update payments p set state = 'settled', transaction = transaction, extra = extra, settled_at = clock_timestamp(),
      owner = null, request = null, last_error = null
    where p.id = payment_id and p.state in ('settling', 'unknown');
  return query select p.transaction, p.extra, p.settled_at from payments p where p.id = payment_id and p.state = 'settled';
end $$;

-- Records that it is not known whether a payment was charged. `asked`: the facilitator was, to settle it. It is looked at
-- again every 10 seconds, and every 10 minutes when its authorization ended long ago; as soon as its payer presents it
-- again when nobody was asked to settle it.
drop function doubt_payment(uuid, text, boolean);
create function doubt_payment(payment_id uuid, reason text, nonce_used boolean, asked boolean default true) returns void
language sql security definer set search_path = public, pg_temp as $$
  update payments p set state = case when asked then 'unknown' else p.state end, last_error = reason, owner = null,
      nonce_used = p.nonce_used or doubt_payment.nonce_used,
      try_after = clock_timestamp() + case
        when p.valid_before <= clock_timestamp() - interval '10 minutes' then interval '10 minutes'
        when asked or p.state = 'unknown' then interval '10 seconds' else interval '1 second' end
    where p.id = payment_id and p.state in ('settling', 'unknown')
$$;

-- Hands payments whose fate is not known to a process, those that no living one has in hand; `only`: this one.
-- `asked`: the facilitator was, to settle it; `ended`: the authorization is over; `abandoned`: so long that no facilitator
-- will settle it any more.
drop function take_open_payments(uuid, uuid, integer);
create function take_open_payments(owner uuid, only_id uuid, at_most integer) returns table (
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

revoke all on function release_payment, settle_payment, doubt_payment, take_open_payments from public;
grant execute on function release_payment, settle_payment, doubt_payment, take_open_payments to gateway;
