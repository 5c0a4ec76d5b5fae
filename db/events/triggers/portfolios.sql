-- The alerts on a deleted portfolio go with it.
create or replace trigger portfolio_alerts_deleted after delete on portfolios
  for each row execute function forget_portfolio_alerts();
