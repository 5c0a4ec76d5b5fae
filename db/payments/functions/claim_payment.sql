-- Claims an authorization for one request, or returns its outcome: 'claimed'; 'busy': another request has it;
-- 'pending': unknown whether it was charged; 'settled': with the answer; 'refused': with the reason. An
-- authorization that expires within 6 seconds is not claimed. After settlement the signature is public
-- calldata, so the answer is repeated for `replay_seconds` only. A lost payment is 'pending' as long as its
-- transaction may come back, then 'refused'.
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
        -- Nothing depends on the claim yet: if a server crash loses it, the request claims again.
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
revoke all on function claim_payment from public;
grant execute on function claim_payment to gateway;
