-- Agents that the users of an account let in, the newest first.
create or replace function account_agents(account_id uuid)
returns table (
  issuer text, subject text, client_id text, name text,
  connected_at timestamptz, last_used_at timestamptz, ended_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.issuer, a.user_subject, a.client_id, a.name, a.connected_at, a.last_used_at, a.ended_at
  from connected_agents a join identities i on i.issuer = a.issuer and i.subject = a.user_subject
  where i.account_id = account_agents.account_id
  order by a.connected_at desc, a.client_id
$$;
revoke all on function account_agents from public;
grant execute on function account_agents to account;
