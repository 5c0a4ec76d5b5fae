-- Charges one PATCH or POST, applies its writes and stores its commands with their trace in the outbox, all
-- in one transaction. With an idempotency key the first answer is kept and returned (`replayed_body`) for
-- every later request with the same fingerprint; another fingerprint is a `mismatch`. The lock of the open
-- period serialises the writes of one account.
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
    perform apply_portfolio_writes(account_id, jsonb_path_query_array(writes,
      '$[*] ? (!(@.kind starts with "webhook") && !(@.kind starts with "alert"))'));
    perform apply_webhook_writes(account_id, jsonb_path_query_array(writes, '$[*] ? (@.kind starts with "webhook")'));
    perform apply_alert_writes(account_id, jsonb_path_query_array(writes, '$[*] ? (@.kind starts with "alert")'));
    insert into outbox (workflow, workflow_id, input, signal, traceparent, account_id)
      select c->>'workflow', c->>'workflowId', c->'input', c->>'signal', c->>'traceparent', account_id
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
revoke all on function charge_write from public;
grant execute on function charge_write to meter;
