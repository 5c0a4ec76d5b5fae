-- Deletes the alerts on portfolios that are deleted. Subjects of rules have no foreign key: they are of several tables.
create or replace function forget_portfolio_alerts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from alert_rules where kind = 'portfolio.value' and subject = old.id::text;
  return null;
end $$;
revoke all on function forget_portfolio_alerts from public;
