-- What a bridge took out of the amount on its way: it left beyond `raw`, which arrived.
alter table transfer_matches add column fee numeric not null default 0 check (fee >= 0);
alter table transfer_matches alter column fee drop default;

-- They are looked for in what is there already.
update scopes set dirty_from = 'epoch' where book_id is null;
update folds set dirty_from = 'epoch' where scope_id in (select id from scopes where book_id is null);
