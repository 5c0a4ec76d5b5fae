-- Stores the answer. Ask the facilitator to settle only after this is committed and the payment is verified.
-- False: another process has taken over the claim.
create or replace function store_payment(
  payment_id uuid, claim uuid, request text, status_code integer, content_type text, headers jsonb, body bytea
) returns boolean
language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
declare
  valid_before timestamptz;
begin
  -- Longer than the deadlines for verify (5 s) and settle (30 s) together.
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
revoke all on function store_payment from public;
grant execute on function store_payment to gateway;
