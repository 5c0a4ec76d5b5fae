-- Who an account is to an OpenID provider, and what a key opens.

create table identities (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_by_account on identities (account_id);

alter table api_keys
  add column read_only boolean not null default false,
  -- Tags ('Coins') and endpoints ('GET /coins/{coinId}') of the route table; null: all.
  add column opens text[] check (cardinality(opens) > 0),
  add column expires_at timestamptz;

-- The account of a key that is neither revoked nor expired, and what the key opens.
drop function authenticate(bytea);
create function authenticate(key_hash bytea)
returns table (account_id uuid, stored_hash bytea, read_only boolean, opens text[])
language sql stable security definer set search_path = public, pg_temp as $$
  select k.account_id, k.hash, k.read_only, k.opens from api_keys k
  where k.hash = key_hash and k.revoked_at is null and coalesce(k.expires_at > now(), true)
$$;

-- The account of an identity; null: nobody's.
create function identify(issuer text, subject text) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select i.account_id from identities i where i.issuer = identify.issuer and i.subject = identify.subject
$$;

revoke all on function authenticate, identify from public;
grant execute on function authenticate, identify to meter;
