-- The accounts that users can be invited to.
create or replace view operations.accounts as
select id, name, plan from accounts where name <> 'closed';
grant select on operations.accounts to console;
