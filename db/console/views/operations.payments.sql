-- Payments with the notes of operators. The view omits the payer and the signed data.
create or replace view operations.payments as
select p.id, p.state, p.amount, p.claimed_at, p.settled_at, p.transaction, p.last_error,
  array(select n.note || ' (' || n.operator || ', ' || to_char(n.at at time zone 'UTC', 'YYYY-MM-DD') || ')'
    from payment_notes n where n.payment_id = p.id order by n.id) as notes
from payments p;
grant select on operations.payments to console;
