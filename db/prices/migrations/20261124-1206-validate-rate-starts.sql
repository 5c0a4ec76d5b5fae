alter table fx_rates validate constraint fx_rates_at_check;
