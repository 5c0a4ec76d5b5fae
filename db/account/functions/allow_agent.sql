-- Notes that a user lets an agent in, also one that was ended before. False: the user has no account.
create or replace function allow_agent(issuer text, subject text, client_id text, name text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  if identify(issuer, subject) is null then return false; end if;
  insert into connected_agents as a (issuer, user_subject, client_id, name)
    values (issuer, subject, client_id, name)
    on conflict on constraint connected_agents_pkey do update
      set name = excluded.name, connected_at = now(), ended_at = null;
  return true;
end $$;
revoke all on function allow_agent from public;
grant execute on function allow_agent to issuer;
