-- Lost payments are few, and counted often.
drop index concurrently if exists payments_lost;
create index concurrently payments_lost on payments (settled_at) where state = 'lost';
