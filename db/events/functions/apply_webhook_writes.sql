-- Applies the writes to webhook endpoints that the API decided on for an account. Raises SL001 when an endpoint is gone
-- or the account would get more than its plan allows: nothing is charged, and the API decides again.
create or replace function apply_webhook_writes(account_id uuid, writes jsonb) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  item jsonb;
  endpoint uuid;
begin
  for item in select w from jsonb_array_elements(writes) w loop
    endpoint := (item->>'id')::uuid;
    if item->>'kind' = 'webhook-create' then
      insert into webhook_endpoints (id, account_id, url, types, options, key_id, wrapped_key, ciphertext)
        values (endpoint, account_id, item->>'url', array(select jsonb_array_elements_text(item->'types')),
          item->'options', item->'sealed'->>'keyId', decode(item->'sealed'->>'wrappedKey', 'hex'),
          decode(item->'sealed'->>'ciphertext', 'hex'));
    else
      perform from webhook_endpoints e where e.id = endpoint and e.account_id = apply_webhook_writes.account_id
        for no key update;
      if not found then
        raise exception 'the endpoint is gone' using errcode = 'SL001';
      end if;
    end if;
    case item->>'kind'
    when 'webhook-change' then
      update webhook_endpoints e set url = coalesce(item->>'url', e.url),
        types = coalesce((select array_agg(t) from jsonb_array_elements_text(item->'types') t), e.types),
        options = coalesce(item->'options', e.options)
        where e.id = endpoint;
      if item->'pause' is not null then
        update webhook_endpoints e set state = 'paused', reason = 'Paused by its owner' where e.id = endpoint;
      elsif item->'restart' is not null then
        update webhook_endpoints e set state = 'new', reason = null, failures = 0, failing_since = null,
          next_probe_at = null where e.id = endpoint;
      end if;
    when 'webhook-delete' then
      delete from webhook_endpoints e where e.id = endpoint;
    when 'webhook-rotate' then
      update webhook_endpoints e set previous_key_id = e.key_id, previous_wrapped_key = e.wrapped_key,
        previous_ciphertext = e.ciphertext, previous_until = now() + interval '24 hours',
        key_id = item->'sealed'->>'keyId', wrapped_key = decode(item->'sealed'->>'wrappedKey', 'hex'),
        ciphertext = decode(item->'sealed'->>'ciphertext', 'hex')
        where e.id = endpoint;
    when 'webhook-unwatch' then
      delete from event_subscriptions s where s.endpoint_id = endpoint and case
        when item->>'watched' = 'all' then s.wallet_id is null
        else exists (
          select from jsonb_to_recordset(item->'watched') as named (address text, "networkId" text)
          join wallets w on w.address = named.address
          where w.id = s.wallet_id and named."networkId" is not distinct from s.network_id)
        end;
    when 'webhook-replay' then
      -- Ten a second, as after an outage.
      insert into deliveries as known (endpoint_id, seq, lane, next_at)
        select endpoint, a.seq, coalesce(a.wallet_id % 4, 0),
          now() + (row_number() over (order by a.seq) - 1) * interval '100 ms'
        from account_events a
        where a.account_id = apply_webhook_writes.account_id and endpoint = any (a.endpoint_ids)
          and a.seq between (item->>'fromSeq')::bigint and (item->>'throughSeq')::bigint
        on conflict (endpoint_id, seq) do update set attempts = 0, next_at = excluded.next_at
          where known.next_at is null;
    else null;
    end case;
    if item->>'kind' in ('webhook-create', 'webhook-watch') then
      perform watch_wallets(account_id, endpoint, item->'watched', (item->'most'->>'wallets')::integer);
    end if;
    if item->>'kind' = 'webhook-create' and (select count(*) from webhook_endpoints e
        where e.account_id = apply_webhook_writes.account_id) > (item->'most'->>'endpoints')::integer then
      raise exception 'the plan has no more endpoints' using errcode = 'SL001';
    end if;
    if item->>'kind' in ('webhook-create', 'webhook-test') or item->'restart' is not null then
      insert into event_sources (kind, account_id, payload)
        values ('test.ping', account_id, jsonb_build_object('endpointId', endpoint));
    end if;
  end loop;
end $$;
revoke all on function apply_webhook_writes from public;
