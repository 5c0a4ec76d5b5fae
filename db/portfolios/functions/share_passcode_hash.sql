-- `keyed`: the passcode keyed with the pepper. The share id in the hash makes equal passcodes look different.
create or replace function share_passcode_hash(share_id uuid, keyed bytea) returns bytea
language sql immutable as $$
  select sha256(uuid_send(share_id) || keyed)
$$;
revoke all on function share_passcode_hash from public;
