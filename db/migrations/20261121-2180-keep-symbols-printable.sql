-- Pages are read as one text for each column, its rows parted by control characters.
update wallet_transactions set main_symbol = regexp_replace(main_symbol, '[\x01-\x1f\x7f]', '', 'g')
where main_symbol ~ '[\x01-\x1f\x7f]';
alter table wallet_transactions add constraint wallet_transactions_main_symbol_check
  check (main_symbol !~ '[\x01-\x1f\x7f]');
