-- Interest in a year in percent, at the rate that the protocol stated at the block; of a debt what it costs.
alter table defi_assets add column apr_percent numeric; -- null: it stated none
alter table past.defi_assets add column apr_percent numeric;
select past.keep_more('defi_assets', 'apr_percent');
