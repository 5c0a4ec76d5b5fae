-- Notes what a preview of a file shows, so that its confirmation can say what has changed since.
create or replace function note_import_preview(account_id uuid, upload_id uuid, previewed jsonb) returns void
language sql security definer set search_path = public, pg_temp as $$
  update import_uploads u set previewed = note_import_preview.previewed
  where u.id = upload_id and u.account_id = note_import_preview.account_id
$$;
revoke all on function note_import_preview from public;
grant execute on function note_import_preview to account;
