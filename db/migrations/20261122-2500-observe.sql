-- The trace that a command belongs to, as W3C traceparent; null: tracing was off.
alter table outbox add column traceparent text;

-- Processes tell by it whether the schema is the one that they are made for.
grant select on kysely_migration to api, ingest;

-- As before; each command may say which trace it belongs to.
create or replace function charge_write(
  request_id uuid, account_id uuid, cost bigint, endpoint text, price_input text,
  commands jsonb, idempotency_key text, fingerprint bytea, body text, writes jsonb default '[]'
) returns table (
  granted bigint, available bigint, period_ends_in_s integer, refused boolean, replayed_body text, mismatch boolean
)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  earlier idempotent_answers;
begin
  perform lock_period(account_id);
  if idempotency_key is not null then
    select * into earlier from idempotent_answers i
      where i.account_id = charge_write.account_id and i.key = idempotency_key;
  end if;
  if earlier.key is not null then
    select c.granted, c.available, c.period_ends_in_s, false, earlier.fingerprint <> fingerprint
      into granted, available, period_ends_in_s, refused, mismatch
      from charge_batch(array[earlier.request_id], array[account_id], array[0::bigint], array[endpoint], array[price_input]) c;
    replayed_body := case when not mismatch then earlier.body end;
    return next;
    return;
  end if;
  select c.granted, c.available, c.period_ends_in_s, c.refused <> '{}', false
    into granted, available, period_ends_in_s, refused, mismatch
    from charge_batch(array[request_id], array[account_id], array[cost], array[endpoint], array[price_input]) c;
  if not refused then
    perform apply_portfolio_writes(account_id, writes);
    insert into outbox (workflow, workflow_id, input, signal, traceparent)
      select c->>'workflow', c->>'workflowId', c->'input', c->>'signal', c->>'traceparent'
      from jsonb_array_elements(commands) c;
    if idempotency_key is not null then
      delete from idempotent_answers i
        where i.account_id = charge_write.account_id and i.created_at < now() - interval '2 days';
      insert into idempotent_answers (account_id, key, request_id, fingerprint, body)
        values (account_id, idempotency_key, request_id, fingerprint, body);
    end if;
  end if;
  return next;
end $$;

-- What the gateway shows its operator: payments whose fate is open, by state, with the age of the oldest.
create function count_open_payments() returns table (state text, payments bigint, oldest_s float8)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.state, count(*), extract(epoch from clock_timestamp() - min(p.claimed_at))::float8
  from payments p where p.state in ('claimed', 'settling', 'unknown') group by p.state
$$;
revoke all on function count_open_payments from public;
grant execute on function count_open_payments to gateway;
