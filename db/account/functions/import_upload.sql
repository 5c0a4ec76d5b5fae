-- A file of an account that is still kept, and what its last preview showed.
create or replace function import_upload(account_id uuid, upload_id uuid)
returns table (portfolio_id uuid, body text, previewed jsonb)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.portfolio_id, u.body, u.previewed from import_uploads u
  where u.id = upload_id and u.account_id = import_upload.account_id and u.expires_at > now()
$$;
revoke all on function import_upload from public;
grant execute on function import_upload to account;
