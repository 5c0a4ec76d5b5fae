-- What operators did.
create or replace view operations.operator_actions as
select id, at, operator, action, subject from operator_actions;
grant select on operations.operator_actions to console;
