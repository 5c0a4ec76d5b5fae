-- Payments of the x402 gateway: one row for each authorization that was claimed, kept as the record of what was paid.
-- The gateway reaches them through the functions below, as role `gateway`, which has no right on the tables. Several
-- gateways may share them: the key of a payment and the clock of this database decide between them.

-- Processes of the gateway that are alive. Unlogged: after a crash of the server they all count as gone until they say
-- otherwise, and a claim that was taken over by another is lost without harm.
create unlogged table payment_owners (
  id uuid primary key,
  alive_until timestamptz not null
) with (fillfactor = 50);

create table payments (
  id uuid primary key default uuidv7(),
  chain_id integer not null,
  asset text not null check (asset ~ '^0x[0-9a-f]{40}$'),
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  amount bigint not null check (amount > 0),            -- base units of the asset
  resource_key bytea not null check (octet_length(resource_key) = 32),              -- what it was first used for
  authorization_hash bytea not null check (octet_length(authorization_hash) = 32),  -- of all that was signed, and the signature
  valid_before timestamptz not null,
  -- claimed: being verified. settling: the answer is stored, the facilitator may have been asked. unknown: it was, and
  -- whether the payer was charged is not known. failed: it cannot be charged, or the facilitator refused it unsent.
  state text not null default 'claimed' check (state in ('claimed', 'settling', 'settled', 'failed', 'unknown')),
  claim uuid not null,                                  -- of the request that claimed it: another one's is void
  owner uuid,                                           -- the process that has it in hand
  try_after timestamptz not null,                       -- until then it is its owner's, while that one lives
  settles integer not null default 0,                   -- how often the facilitator was asked to settle it
  nonce_used boolean not null default false,            -- the facilitator found the nonce used: paid, or cancelled
  request text,                                         -- body for the facilitator, with the signature; null once final
  transaction text check (transaction ~ '^0x[0-9a-f]{64}$'),
  extra text,                                           -- JSON of the facilitator's acknowledgement
  last_error text,
  claimed_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  unproven_at timestamptz,                              -- when its answer was given without a proof of payment
  unique (chain_id, asset, payer, nonce),
  check ((state = 'settled') = (transaction is not null)),
  check ((state = 'settled') = (settled_at is not null)),
  check ((state in ('settling', 'unknown')) = (request is not null))
);
-- A transaction pays for one call.
create unique index payments_by_transaction on payments (chain_id, transaction) where transaction is not null;
create index payments_open on payments (try_after) where state in ('claimed', 'settling', 'unknown');
create index payments_unproven on payments (payer, unproven_at) where unproven_at is not null;

-- What a payer is owed, or may fetch again until an hour after the authorization has ended.
create table payment_answers (
  payment_id uuid primary key references payments on delete cascade,
  status_code integer not null,
  content_type text not null,
  headers jsonb not null,
  body bytea not null,
  expires_at timestamptz not null
);
alter table payment_answers alter body set storage external;  -- to compress it for an hour costs more than the space
create index payment_answers_by_expiry on payment_answers (expires_at);

-- Whether a payment is in the hands of a process that lives.
create function payment_is_held(owner uuid, try_after timestamptz) returns boolean
language sql stable as $$
  select try_after > clock_timestamp()
    and exists (select from payment_owners o where o.id = owner and o.alive_until > clock_timestamp())
$$;

-- A process says that it lives.
create function renew_payment_owner(owner uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into payment_owners as o (id, alive_until) values (owner, clock_timestamp() + interval '4 seconds')
  on conflict (id) do update set alive_until = excluded.alive_until
$$;

-- A process ends; what it has in hand is free.
create function end_payment_owner(owner uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from payment_owners o where o.id = owner
$$;

-- Claims an authorization for one request, or says what became of it:
-- 'claimed'; 'busy': another request is at it; 'pending': whether it was charged is not known;
-- 'settled': with the answer; 'refused': with the reason. An authorization that ends within 6 seconds is not claimed.
create function claim_payment(
  chain_id integer, asset text, payer text, nonce text, amount bigint, resource_key bytea, authorization_hash bytea,
  valid_before timestamptz, owner uuid
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
      from payment_answers a where a.payment_id = known.id;
    outcome := case when found then 'settled' else 'refused' end;
    reason := 'invalid_exact_evm_nonce_already_used';
  elsif known.state = 'settling' and payment_is_held(known.owner, known.try_after) then
    outcome := 'busy';
  else
    outcome := 'pending';
  end if;
  return next;
end $$;

-- Gives a claim back: the authorization was not used and can be used again.
create function release_payment(payment_id uuid, claim uuid) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from payments p where p.id = payment_id and p.claim = release_payment.claim and p.state = 'claimed'
$$;

-- Stores the answer. Only after this has been committed may the facilitator be asked to settle. False: the claim is
-- another one's by now.
create function store_payment(
  payment_id uuid, claim uuid, request text, status_code integer, content_type text, headers jsonb, body bytea
) returns boolean
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
declare
  valid_before timestamptz;
begin
  -- Longer than the facilitator may take.
  update payments p set state = 'settling', settles = 1, request = request, try_after = clock_timestamp() + interval '45 seconds'
    where p.id = payment_id and p.claim = claim and p.state = 'claimed'
    returning p.valid_before into valid_before;
  if not found then
    return false;
  end if;
  insert into payment_answers (payment_id, status_code, content_type, headers, body, expires_at)
    values (payment_id, status_code, content_type, headers, body, valid_before + interval '1 hour');
  return true;
end $$;

-- Records a proven payment, once; the row says with which transaction. None: it has failed before. Raises
-- unique_violation when the transaction has paid for another call.
create function settle_payment(payment_id uuid, transaction text, extra text)
returns table (settled_transaction text, settled_extra text, settled_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
begin
  update payments p set state = 'settled', transaction = transaction, extra = extra, settled_at = clock_timestamp(),
      owner = null, request = null, last_error = null
    where p.id = payment_id and p.state in ('settling', 'unknown');
  return query select p.transaction, p.extra, p.settled_at from payments p where p.id = payment_id and p.state = 'settled';
end $$;

-- Records that a payment was not and will not be charged; nobody is owed its answer.
create function fail_payment(payment_id uuid, reason text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update payments p set state = 'failed', last_error = reason, owner = null, request = null
    where p.id = payment_id and p.state in ('settling', 'unknown');
  if found then
    delete from payment_answers a where a.payment_id = payment_id;
  end if;
end $$;

-- Records that it is not known whether a payment was charged. It is looked at again every 10 seconds, and every
-- 10 minutes when its authorization ended long ago.
create function doubt_payment(payment_id uuid, reason text, nonce_used boolean) returns void
language sql security definer set search_path = public, pg_temp as $$
  update payments p set state = 'unknown', last_error = reason, owner = null,
      nonce_used = p.nonce_used or doubt_payment.nonce_used,
      try_after = clock_timestamp() + case
        when p.valid_before > clock_timestamp() - interval '10 minutes' then interval '10 seconds' else interval '10 minutes' end
    where p.id = payment_id and p.state in ('settling', 'unknown')
$$;

-- Hands payments whose fate is not known to a process, those that no living one has in hand; `only`: this one.
-- `ended`: the authorization is over; `abandoned`: so long that no facilitator will settle it any more.
create function take_open_payments(owner uuid, only_id uuid, at_most integer) returns table (
  payment_id uuid, chain_id integer, asset text, payer text, nonce text, amount bigint, request text,
  claimed_at timestamptz, ended boolean, abandoned boolean
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
      p.valid_before <= clock_timestamp(), p.valid_before <= clock_timestamp() - interval '10 minutes'
$$;

-- The answer of a payment whose nonce was found used after it had been verified, where no chain can be asked whether it
-- was paid or cancelled: once, up to 0.004 USDC, three times a day for a payer.
create function answer_unproven_payment(payment_id uuid)
returns table (status_code integer, content_type text, headers jsonb, body bytea)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  known payments;
begin
  select * into known from payments p where p.id = payment_id;
  -- The answers of one payer follow each other.
  perform pg_advisory_xact_lock(hashtextextended(known.payer, 402));
  update payments p set unproven_at = clock_timestamp()
    where p.id = payment_id and p.state = 'unknown' and p.nonce_used and p.unproven_at is null and p.amount <= 4000
      and (select count(*) from payments o
           where o.payer = known.payer and o.unproven_at > clock_timestamp() - interval '1 day') < 3;
  if found then
    return query select a.status_code, a.content_type, a.headers, a.body from payment_answers a where a.payment_id = payment_id;
  end if;
end $$;

-- Forgets claims of processes that are gone, answers that were kept long enough, and the processes.
create function clean_payments() returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from payments p where p.state = 'claimed' and not payment_is_held(p.owner, p.try_after);
  delete from payment_answers a using payments p
    where p.id = a.payment_id and a.expires_at < clock_timestamp()
      and p.state = 'settled' and p.settled_at < clock_timestamp() - interval '1 hour';
  delete from payment_owners o where o.alive_until < clock_timestamp() - interval '1 hour';
$$;

revoke all on function
  payment_is_held, renew_payment_owner, end_payment_owner, claim_payment, release_payment, store_payment, settle_payment,
  fail_payment, doubt_payment, take_open_payments, answer_unproven_payment, clean_payments from public;
grant execute on function
  renew_payment_owner, end_payment_owner, claim_payment, release_payment, store_payment, settle_payment,
  fail_payment, doubt_payment, take_open_payments, answer_unproven_payment, clean_payments to gateway;
