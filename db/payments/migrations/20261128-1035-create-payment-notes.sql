-- What operators did about payments outside of the service, such as a refund by hand. Rows are only added.
create table payment_notes (
  id bigint generated always as identity primary key,
  payment_id uuid not null references payments (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  operator text not null,
  note text not null check (length(note) between 1 and 500)
);
create index payment_notes_by_payment on payment_notes (payment_id, id);
