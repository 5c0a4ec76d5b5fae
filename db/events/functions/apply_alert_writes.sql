-- Applies the writes to alerts that the API decided on for an account. Raises SL001 when an alert or its endpoint is gone
-- or the account would get more alerts than its plan allows: nothing is charged, and the API decides again.
create or replace function apply_alert_writes(account_id uuid, writes jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  item jsonb;
  gone integer;
begin
  for item in select w from jsonb_array_elements(writes) w loop
    if item->>'kind' = 'alert-delete' then
      delete from alert_rules r where r.account_id = apply_alert_writes.account_id
        and r.id in (select i::uuid from jsonb_array_elements_text(item->'ids') i);
      get diagnostics gone = row_count;
      if gone < jsonb_array_length(item->'ids') then
        raise exception 'an alert is gone' using errcode = 'SL001';
      end if;
      continue;
    end if;
    insert into alert_rules (id, account_id, endpoint_id, kind, subject, rule, armed, value_usd, created_at)
      select (item->>'id')::uuid, account_id, e.id, item->>'type', item->>'subject', item->'rule',
        (item->>'armed')::boolean, (item->>'valueUsd')::numeric, (item->>'createdAt')::timestamptz
      from (select (item->>'endpointId')::uuid as wanted) w
      left join webhook_endpoints e on e.id = w.wanted and e.account_id = apply_alert_writes.account_id
      where w.wanted is null or e.id is not null;
    if not found then
      raise exception 'the endpoint is gone' using errcode = 'SL001';
    end if;
    if (select count(*) from alert_rules r where r.account_id = apply_alert_writes.account_id)
        > (item->>'most')::integer then
      raise exception 'the plan has no more alerts' using errcode = 'SL001';
    end if;
  end loop;
end $$;
revoke all on function apply_alert_writes from public;
