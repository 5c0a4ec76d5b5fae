-- What the account page may do, as role `account`: each function takes the account, and finds nothing of another one.

create function account_of(issuer text, subject text)
returns table (account_id uuid, name text, degen boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.name, a.degen from identities i join accounts a on a.id = i.account_id
  where i.issuer = account_of.issuer and i.subject = account_of.subject
$$;

-- Keys that are not revoked, the youngest first.
create function account_keys(account_id uuid)
returns table (prefix text, name text, read_only boolean, opens text[], created_at timestamptz, expires_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.prefix, k.name, k.read_only, k.opens, k.created_at, k.expires_at from api_keys k
  where k.account_id = account_keys.account_id and k.revoked_at is null
  order by k.created_at desc, k.prefix
$$;

-- False: the account has as many keys as it may have, or one that looks the same in lists.
create function create_account_key(
  account_id uuid, key_hash bytea, prefix text, name text, read_only boolean, opens text[], expires_at timestamptz
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  -- Keys of one account are made one after the other.
  perform from accounts a where a.id = account_id for no key update;
  if (select count(*) >= 100 or bool_or(k.prefix = create_account_key.prefix) from api_keys k
      where k.account_id = create_account_key.account_id and k.revoked_at is null) then
    return false;
  end if;
  insert into api_keys (hash, account_id, prefix, name, read_only, opens, expires_at)
    values (key_hash, account_id, prefix, name, read_only, opens, expires_at);
  return true;
end $$;

-- False: the account has no such key.
create function change_account_key(
  account_id uuid, prefix text, name text, read_only boolean, opens text[], expires_at timestamptz
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update api_keys k set name = change_account_key.name, read_only = change_account_key.read_only,
      opens = change_account_key.opens, expires_at = change_account_key.expires_at
    where k.account_id = change_account_key.account_id and k.prefix = change_account_key.prefix
      and k.revoked_at is null;
  return found;
end $$;

create function revoke_account_key(account_id uuid, prefix text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update api_keys k set revoked_at = now()
    where k.account_id = revoke_account_key.account_id and k.prefix = revoke_account_key.prefix
      and k.revoked_at is null;
  return found;
end $$;

-- The links of an account that work, or would with Degen.
create function account_shares(account_id uuid)
returns table (id uuid, portfolio_id uuid, passcode boolean, locked boolean, created_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, s.portfolio_id, s.passcode_hash is not null, coalesce(s.locked_until > now(), false), s.created_at
  from portfolio_shares s join portfolios p on p.id = s.portfolio_id
  where p.account_id = account_shares.account_id and s.revoked_at is null
  order by s.created_at desc, s.id
$$;

-- False: the account has no such portfolio, no Degen, or as many links to it as there may be.
create function create_account_share(
  account_id uuid, portfolio_id uuid, share_id uuid, token_hash bytea, keyed_passcode bytea
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  perform from accounts a where a.id = account_id and a.degen for no key update;
  if not found then
    return false;
  end if;
  insert into portfolio_shares (id, portfolio_id, token_hash, passcode_hash)
    select share_id, p.id, token_hash, share_passcode_hash(share_id, keyed_passcode) from portfolios p
    where p.id = create_account_share.portfolio_id and p.account_id = create_account_share.account_id
      and (select count(*) < 100 from portfolio_shares s where s.portfolio_id = p.id and s.revoked_at is null);
  return found;
end $$;

-- Another token; the one before is dead at once, and wrong passcodes are forgotten. False: the account has no such link.
create function rotate_account_share(account_id uuid, share_id uuid, token_hash bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update portfolio_shares s
    set token_hash = rotate_account_share.token_hash, wrong_passcodes = 0, locked_until = null
    from portfolios p
    where s.id = share_id and s.revoked_at is null and p.id = s.portfolio_id
      and p.account_id = rotate_account_share.account_id;
  return found;
end $$;

create function revoke_account_share(account_id uuid, share_id uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
begin
  update portfolio_shares s set revoked_at = now() from portfolios p
    where s.id = share_id and s.revoked_at is null and p.id = s.portfolio_id
      and p.account_id = revoke_account_share.account_id;
  return found;
end $$;

revoke all on function account_of, account_keys, create_account_key, change_account_key, revoke_account_key,
  account_shares, create_account_share, rotate_account_share, revoke_account_share from public;
grant execute on function account_of, account_keys, create_account_key, change_account_key, revoke_account_key,
  account_shares, create_account_share, rotate_account_share, revoke_account_share, usage_by_day to account;
