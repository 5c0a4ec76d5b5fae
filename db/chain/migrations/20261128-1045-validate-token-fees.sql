alter table transfers validate constraint transfers_kind_check;
