-- Ends an agent of an account: its access tokens are refused, and what the embedded provider gave it is deleted.
-- `is_ended` false: lets it in again, with a token of its provider. False: the account has no such agent.
create or replace function end_agent(account_id uuid, subject text, client_id text, is_ended boolean) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update connected_agents a set ended_at = case when is_ended then now() end
    from identities i
    where i.issuer = a.issuer and i.subject = a.user_subject and i.account_id = end_agent.account_id
      and a.user_subject = end_agent.subject and a.client_id = end_agent.client_id;
  if not found then return false; end if;
  if is_ended then
    delete from issuer_records r
      where r.payload ->> 'accountId' = end_agent.subject and r.payload ->> 'clientId' = end_agent.client_id;
  end if;
  return true;
end $$;
revoke all on function end_agent from public;
grant execute on function end_agent to account;
