-- Keeps a code for ten minutes, and forgets codes a day after their end: until then their nonces stay used. False: the
-- kit is gone, or the nonce was used before.
create or replace function create_connect_code(
  kit_id uuid, code_hash bytea, portfolio_id uuid, address text, network_id text, existed boolean,
  nonce text
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  delete from connect_codes c where c.expires_at < now() - interval '1 day';
  insert into connect_codes (hash, kit_id, account_id, portfolio_id, address, network_id, existed, nonce, expires_at)
    select code_hash, k.id, k.account_id, portfolio_id, address, network_id, existed, nonce,
      now() + interval '10 minutes'
    from connect_kits k where k.id = create_connect_code.kit_id
    on conflict on constraint connect_codes_nonce_key do nothing;
  return found;
end $$;
revoke all on function create_connect_code from public;
grant execute on function create_connect_code to account;
