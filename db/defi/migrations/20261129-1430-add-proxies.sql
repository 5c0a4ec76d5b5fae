-- Positions that a contract of the wallet holds, such as a vault of its DSProxy.
alter table defi_positions add column is_proxy boolean not null default false;
alter table past.defi_positions add column is_proxy boolean not null default false;
select past.keep_more('defi_positions', 'is_proxy');
