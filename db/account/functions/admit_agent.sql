-- The account that an agent reads for a user, and notes that it does. null: the user has no account, or ended the agent.
create or replace function admit_agent(issuer text, subject text, client_id text) returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  found_account uuid := identify(issuer, subject);
  agent connected_agents;
begin
  if found_account is null then return null; end if;
  select * into agent from connected_agents a
    where a.issuer = admit_agent.issuer and a.user_subject = subject and a.client_id = admit_agent.client_id;
  if agent.ended_at is not null then return null; end if;
  if agent.last_used_at is null or agent.last_used_at < now() - interval '1 minute' then
    insert into connected_agents as a (issuer, user_subject, client_id, name, last_used_at)
      values (issuer, subject, client_id, client_id, now())
      on conflict on constraint connected_agents_pkey do update set last_used_at = now();
  end if;
  return found_account;
end $$;
revoke all on function admit_agent from public;
grant execute on function admit_agent to meter;
