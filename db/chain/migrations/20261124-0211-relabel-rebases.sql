-- Of what was stored as an airdrop, the balances that grew by themselves have transactions of type balance. What an
-- operator said stays.
update movements as movement set role = 'rebase'
from wallet_transactions as grown
where movement.role = 'airdrop' and grown.type = 'balance'
  and grown.wallet_id = movement.wallet_id and grown.network_id = movement.network_id and grown.at = movement.at
  and grown.tx_index = movement.tx_index and grown.hash = movement.tx_hash
  and not exists (
    select from movement_labels as label
    where label.wallet_id = movement.wallet_id and label.network_id = movement.network_id
      and label.tx_hash = movement.tx_hash and label.seq = movement.seq);
alter table movements validate constraint movements_role_check;
