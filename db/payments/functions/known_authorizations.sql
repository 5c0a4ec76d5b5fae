-- Which of these authorizations this installation received. The others were made for another installation.
create or replace function known_authorizations(chain_id integer, asset text, payers text[], nonces text[]) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select p.nonce from unnest(payers, nonces) as a (payer, nonce)
  join payments p on p.chain_id = known_authorizations.chain_id and p.asset = known_authorizations.asset
    and p.payer = a.payer and p.nonce = a.nonce
$$;
revoke all on function known_authorizations from public;
grant execute on function known_authorizations to gateway;
