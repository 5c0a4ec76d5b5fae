-- Keeps a file for an hour, after which drop_old_events deletes it, and returns its id. The same file for the same portfolio keeps its id and starts its hour
-- again. Of more than ten files of an account the oldest go. null: the account has no such manual portfolio.
create or replace function keep_import_upload(account_id uuid, portfolio_id uuid, upload_id uuid, body text)
returns uuid
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  kept uuid;
begin
  perform from accounts a where a.id = account_id for no key update;
  insert into import_uploads (id, account_id, portfolio_id, body, sha256, expires_at)
    select upload_id, account_id, p.id, body, sha256(convert_to(body, 'UTF8')), now() + interval '1 hour'
    from portfolios p
    where p.id = keep_import_upload.portfolio_id and p.account_id = keep_import_upload.account_id and p.kind = 'manual'
    on conflict on constraint import_uploads_account_id_portfolio_id_sha256_key
      do update set expires_at = excluded.expires_at
    returning id into kept;
  delete from import_uploads u
    where u.account_id = keep_import_upload.account_id and u.id not in (
      select o.id from import_uploads o where o.account_id = keep_import_upload.account_id
      order by o.expires_at desc, o.id = kept desc limit 10);
  return kept;
end $$;
revoke all on function keep_import_upload from public;
grant execute on function keep_import_upload to account;
