-- Who has the token of a share sees its portfolio. Role `meter` may ask for one share at a time and learns nothing else.

-- `keyed`: the passcode under the pepper. With the share in it, equal passcodes look different.
create function share_passcode_hash(share_id uuid, keyed bytea) returns bytea
language sql immutable as $$
  select sha256(uuid_send(share_id) || keyed)
$$;

-- Whether the passcode is right. Five wrong ones in a row lock the share for 15 minutes, each five more for twice as
-- long, the hundredth for good; a right one ends the row. While the share is locked none is tried.
create function try_passcode(share_id uuid, keyed bytea) returns boolean
language plpgsql as $$
#variable_conflict use_variable
declare
  share portfolio_shares;
  nonce bytea := uuid_send(gen_random_uuid());
  wrong integer;
begin
  -- Nobody waits in order to be refused.
  if keyed is null or exists (
    select from portfolio_shares s where s.id = share_id and s.locked_until > clock_timestamp()) then
    return false;
  end if;
  -- Tries of one share follow each other: of any number at once no more count than the lock leaves.
  select * into share from portfolio_shares s where s.id = share_id for update;
  if share.locked_until > clock_timestamp() then
    return false;
  end if;
  -- Blinded, so that the time it takes to compare them says nothing of the digests.
  if sha256(nonce || share.passcode_hash) = sha256(nonce || share_passcode_hash(share_id, keyed)) then
    if share.wrong_passcodes > 0 then
      update portfolio_shares s set wrong_passcodes = 0, locked_until = null where s.id = share_id;
    end if;
    return true;
  end if;
  wrong := share.wrong_passcodes + 1;
  update portfolio_shares s set wrong_passcodes = wrong, locked_until = case
      when wrong >= 100 then 'infinity'
      when wrong % 5 = 0 then clock_timestamp() + interval '15 minutes' * 2 ^ (wrong / 5 - 1)
    end
    where s.id = share_id;
  return false;
end $$;

-- The portfolio of a token, and whose it is; or why not: 'unknown' (also revoked), 'unentitled' (its owner has no Degen
-- now), 'passcode' (missing, wrong, or locked).
create function open_share(token_hash bytea, keyed_passcode bytea)
returns table (refusal text, portfolio_id uuid, account_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  share record;
begin
  select s.id, s.portfolio_id, s.passcode_hash, p.account_id, a.degen into share
    from portfolio_shares s
    join portfolios p on p.id = s.portfolio_id
    join accounts a on a.id = p.account_id
    where s.token_hash = open_share.token_hash and s.revoked_at is null;
  refusal := case
    when not found then 'unknown'
    when not share.degen then 'unentitled'
    when share.passcode_hash is not null and not try_passcode(share.id, keyed_passcode) then 'passcode'
  end;
  if refusal is null then
    portfolio_id := share.portfolio_id;
    account_id := share.account_id;
  end if;
  return next;
end $$;

revoke all on function share_passcode_hash, try_passcode, open_share from public;
grant execute on function open_share to meter;
