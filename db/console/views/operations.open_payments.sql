-- Payments without a known outcome. The view omits the payer and the signed data.
create or replace view operations.open_payments as
select p.id, p.state, p.amount, p.claimed_at, p.settles, p.last_error
from payments p where p.state in ('claimed', 'settling', 'unknown');
grant select on operations.open_payments to console;
