import type { OneSided } from './one-sided-fields.ts'

/** Of Koios: see one-sided-fields.ts. */
export const OF_KOIOS: OneSided = {
  unread: {
    'Facts of blocks and transactions that no figure rests on: a hash, a place and a time are enough.': [
      '[].abs_slot',
      '[].absolute_slot',
      '[].block_no',
      '[].epoch_slot',
      '[].era',
      '[].invalid_after',
      '[].invalid_before',
      '[].total_output',
      '[].tx_size',
    ],
    'The account was asked by its address, and a transaction of it tells what happened.': [
      '[].action_type',
      '[].address',
      '[].stake_address',
    ],
    'Sums of what is read one by one: inputs, outputs, withdrawals and rewards.': [
      '[].deposit',
      '[].proposal_refund',
      '[].reserves',
      '[].rewards',
      '[].total_balance',
      '[].treasury',
    ],
    'Where a script failed, its collateral is in the inputs, and what came back of it in the outputs.': [
      '[].collateral_inputs',
      '[].collateral_output',
      '[].valid_contract',
    ],
    'Tokens are known by their unit. Decimals are those of the registry, and what is minted is among the outputs.':
      [
        '[].assets_minted',
        '[].decimals',
        '[].fingerprint',
        '[].inputs[].asset_list[].decimals',
        '[].inputs[].asset_list[].fingerprint',
        '[].outputs[].asset_list[].decimals',
        '[].outputs[].asset_list[].fingerprint',
      ],
    'Scripts, what they are told and what they hold. Their addresses say the rest.': [
      '[].inputs[].datum_hash',
      '[].inputs[].inline_datum',
      '[].inputs[].payment_addr.cred',
      '[].inputs[].reference_script',
      '[].metadata',
      '[].native_scripts',
      '[].outputs[].datum_hash',
      '[].outputs[].inline_datum',
      '[].outputs[].payment_addr.cred',
      '[].outputs[].reference_script',
      '[].plutus_contracts',
      '[].reference_inputs',
    ],
    'Whom an account delegates to, and how it votes, moves nothing.': [
      '[].certificates[].info.pool_id_bech32',
      '[].certificates[].info.pool_id_hex',
      '[].delegated_drep',
      '[].delegated_pool',
      '[].proposal_procedures',
      '[].status',
      '[].voting_procedures',
    ],
    'Not shown: no field of the API has it.': [
      '[].token_registry_metadata.description',
      '[].token_registry_metadata.logo',
      '[].token_registry_metadata.url',
    ],
  },
  absent: {},
}
