-- Whether the passcode is right. Five wrong ones in a row lock the share for 15 minutes, each five more for twice as
-- long, the hundredth for good; a right one ends the row. While the share is locked none is tried.
create or replace function try_passcode(share_id uuid, keyed bytea) returns boolean
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
revoke all on function try_passcode from public;
