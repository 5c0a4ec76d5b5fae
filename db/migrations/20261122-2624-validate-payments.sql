alter table payments
  validate constraint payments_state_check,
  validate constraint payments_proof_check,
  validate constraint payments_settled_at_check;
