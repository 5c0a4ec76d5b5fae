-- The account that ordered a command, by which its runs are found and take turns with those of others; null: an operator, the
-- gateway, or a page that anybody may read.
alter table outbox add column account_id uuid;
