-- Books whose legs changed: after each batch of touched wallets they are computed at once.
drop index concurrently if exists pl_states_changed;
create index concurrently pl_states_changed on pl_states (book_id) where legs_changed;
