-- The exchange's own name of a kind of ledger entries that has no meaning here; null: its kind is known. Such an entry is
-- an adjustment, so that the balance is right, and no income. Earlier adjustments did not keep the name.
alter table exchange_transactions add column unknown_kind text;
