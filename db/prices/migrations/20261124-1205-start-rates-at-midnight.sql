-- Sources state one rate a day. A stored day of P&L converts all of its flows at that rate, which is exact only
-- because no rate begins within a day.
alter table fx_rates
  add constraint fx_rates_at_check check (mod(extract(epoch from at), 86400) = 0) not valid;
