-- How far each table has changed whose answers all callers share. A revision is the text of all its slots, and is new
-- after each transaction that wrote the table.
create table table_revisions (
  table_name text not null,
  slot int not null,                   -- concurrent transactions take different slots, so none waits
  revision uuid not null,
  primary key (table_name, slot)
) with (fillfactor = 50);
grant select on table_revisions to api;
