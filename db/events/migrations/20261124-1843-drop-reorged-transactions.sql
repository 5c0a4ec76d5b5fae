-- told_transactions knows for each account what is paid already.
drop table reorged_transactions;
