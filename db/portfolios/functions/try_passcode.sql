-- Whether the passcode is right. Five wrong ones in a row lock the share for 15 minutes, every further five
-- for twice as long, the hundredth forever. A right one resets the count. A locked share tries none.
create or replace function try_passcode(share_id uuid, keyed bytea) returns boolean
language plpgsql as $$
#variable_conflict use_variable
declare
  share portfolio_shares;
  nonce bytea := uuid_send(gen_random_uuid());
  wrong integer;
begin
  -- A locked share refuses at once, without waiting for the row lock.
  if keyed is null or exists (
    select from portfolio_shares s where s.id = share_id and s.locked_until > clock_timestamp()) then
    return false;
  end if;
  -- The row lock puts tries of one share in sequence, so that parallel tries cannot exceed the limit.
  select * into share from portfolio_shares s where s.id = share_id for update;
  if share.locked_until > clock_timestamp() then
    return false;
  end if;
  -- Hashed with a nonce, so that the time of the comparison reveals nothing about the digests.
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
revoke all on function try_passcode from public;
