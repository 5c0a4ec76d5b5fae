-- A settled payment that a reorganisation of the chain has taken away is 'lost': its session is over, its answer is not
-- given again, and it is settled once more when the chain has it again.

alter table payments
  add column block_number bigint,   -- that holds the transaction; null: no node was asked
  add column pay_to text,           -- who was paid; null as long as block_number is
  drop constraint payments_state_check,
  drop constraint payments_check,
  drop constraint payments_check1,
  add constraint payments_state_check
    check (state in ('claimed', 'settling', 'settled', 'failed', 'unknown', 'lost')) not valid,
  add constraint payments_proof_check check ((state in ('settled', 'lost')) = (transaction is not null)) not valid,
  add constraint payments_settled_at_check check ((state in ('settled', 'lost')) = (settled_at is not null)) not valid;

-- Claims an authorization for one request, or says what became of it, as before. A payment that is lost is 'pending' as
-- long as its transaction may come back, and 'refused' after that.
create or replace function claim_payment(
  chain_id integer, asset text, payer text, nonce text, amount bigint, resource_key bytea, authorization_hash bytea,
  valid_before timestamptz, owner uuid, replay_seconds integer default 3600
) returns table (
  outcome text, payment_id uuid, claim uuid, claimed_at timestamptz, reason text, transaction text, extra text,
  settled_at timestamptz, status_code integer, content_type text, headers jsonb, body bytea
)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
declare
  known payments;
  in_time boolean := valid_before >= clock_timestamp() + interval '6 seconds';
begin
  for attempt in 1..3 loop
    if in_time then
      insert into payments (chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before,
        claim, owner, try_after)
      values (chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before,
        gen_random_uuid(), owner, clock_timestamp() + interval '60 seconds')
      on conflict do nothing
      returning payments.id, payments.claim, payments.claimed_at into payment_id, claim, claimed_at;
      if found then
        -- Nobody has been told anything: a claim that a crash of the server loses is claimed anew.
        perform set_config('synchronous_commit', 'off', true);
        outcome := 'claimed';
        return next;
        return;
      end if;
    end if;
    select * into known from payments p
      where p.chain_id = chain_id and p.asset = asset and p.payer = payer and p.nonce = nonce;
    continue when not found;
    exit when known.state <> 'claimed' or payment_is_held(known.owner, known.try_after);
    delete from payments p where p.id = known.id and p.claim = known.claim and p.state = 'claimed';
    known := null;
  end loop;
  payment_id := known.id;
  claimed_at := known.claimed_at;
  if known.id is null then
    outcome := case when in_time then 'busy' else 'refused' end;
    reason := 'invalid_exact_evm_payload_authorization_valid_before';
  elsif known.state = 'claimed' then
    outcome := 'busy';
  elsif known.resource_key <> resource_key or known.authorization_hash <> authorization_hash then
    outcome := 'refused';
    reason := 'invalid_exact_evm_nonce_already_used';
  elsif known.state = 'failed' then
    outcome := 'refused';
    reason := known.last_error;
  elsif known.state = 'settled' then
    transaction := known.transaction;
    extra := known.extra;
    settled_at := known.settled_at;
    select a.status_code, a.content_type, a.headers, a.body into status_code, content_type, headers, body
      from payment_answers a
      where a.payment_id = known.id
        and known.settled_at > clock_timestamp() - make_interval(secs => replay_seconds);
    outcome := case when found then 'settled' else 'refused' end;
    reason := 'invalid_exact_evm_nonce_already_used';
  elsif known.state = 'lost' and known.valid_before < clock_timestamp() - interval '10 minutes' then
    outcome := 'refused';
    reason := known.last_error;
  elsif known.state = 'settling' and payment_is_held(known.owner, known.try_after) then
    outcome := 'busy';
  else
    outcome := 'pending';
  end if;
  return next;
end $$;


-- Records a proven payment, once; the row says with which transaction. None: it has failed before. Raises
-- unique_violation when the transaction has paid for another call. Not `durable`: a crash of the server may lose it, which
-- is for whoever can ask the chain again; the answer is safe since before. `block_number`, `pay_to`: where the chain has it.
drop function settle_payment(uuid, text, text, boolean);
create function settle_payment(
  payment_id uuid, transaction text, extra text, durable boolean default true, block_number bigint default null,
  pay_to text default null
) returns table (settled_transaction text, settled_extra text, settled_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
begin
  if not durable then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  update payments p set state = 'settled', transaction = transaction, extra = extra, settled_at = clock_timestamp(),
      block_number = block_number, pay_to = case when block_number is not null then pay_to end,
      owner = null, request = null, last_error = null
    where p.id = payment_id and p.state in ('settling', 'unknown', 'lost');
  return query select p.transaction, p.extra, p.settled_at from payments p where p.id = payment_id and p.state = 'settled';
end $$;

-- Settled payments since a block, but those of the transactions that are known to be there; and lost ones whose
-- transaction may come back. The node is asked about each of them.
create function payments_to_confirm(chain_id integer, from_block bigint, transactions text[], at_most integer)
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

-- Records that the chain does not have the transaction of a settled payment any more, and ends what it has bought. False:
-- that is known, or it was settled by another one since.
create function lose_payment(payment_id uuid, transaction text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update payments p set state = 'lost', last_error = 'transaction_reorganised'
    where p.id = payment_id and p.state = 'settled' and p.transaction = transaction;
  if not found then
    return false;
  end if;
  insert into revoked_sessions as r (subject) values (transaction)
    on conflict (subject) do update set revoked_at = now();
  return true;
end $$;

-- What the gateway shows its operator: payments of the last day that are lost.
create function count_lost_payments() returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) from payments p where p.state = 'lost' and p.settled_at > clock_timestamp() - interval '1 day'
$$;

-- Forgets claims of processes that are gone, answers that were kept long enough, and the processes.
create or replace function clean_payments() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from payments p where p.state = 'claimed' and not payment_is_held(p.owner, p.try_after);
  delete from payment_answers a using payments p
    where p.id = a.payment_id and a.expires_at < clock_timestamp()
      and p.state in ('settled', 'lost') and p.settled_at < clock_timestamp() - interval '1 hour';
  delete from payment_owners o where o.alive_until < clock_timestamp() - interval '1 hour';
$$;

revoke all on function settle_payment, payments_to_confirm, lose_payment, count_lost_payments from public;
grant execute on function settle_payment, payments_to_confirm, lose_payment, count_lost_payments to gateway;
