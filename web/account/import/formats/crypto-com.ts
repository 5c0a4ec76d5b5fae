import { amountIn, lineByLine, noteOf, numberIn, timeIn, Unreadable } from '../fields.ts'
import { sign, ZERO } from '../../../../db/values/decimal.ts'
import type { ImportFormat, Row } from '../movement.ts'
import { moveOf, signedMoveIn } from '../trade.ts'

/** Kinds with what is given and what is got. */
const CONVERTED = [
  'viban_purchase',
  'van_purchase',
  'crypto_viban_exchange',
  'crypto_exchange',
  'crypto_to_van_sell_order',
  'trading.limit_order.fiat_wallet.sell_commit',
  'recurring_buy_order',
]
/** Kinds against a currency, which is the value of the line. */
const AT_VALUE = ['crypto_purchase', 'dust_conversion_debited', 'dust_conversion_credited']
const MOVED = [
  'crypto_transfer',
  'crypto_deposit',
  'crypto_withdrawal',
  'exchange_to_crypto_transfer',
  'crypto_to_exchange_transfer',
  'crypto_payment',
  'crypto_payment_refund',
  'card_top_up',
  'card_cashback_reverted',
  'reimbursement_reverted',
  'crypto_earn_interest_paid',
  'crypto_earn_extra_interest_paid',
  'mco_stake_reward',
  'supercharger_reward_to_app_credited',
  'finance.lockup.dpos_compound_interest.crypto_wallet',
  'finance.dpos.non_compound_interest.crypto_wallet',
  'finance.dpos.compound_interest.crypto_wallet',
  'rewards_platform_deposit_credited',
  'referral_bonus',
  'referral_gift',
  'referral_card_cashback',
  'transfer_cashback',
  'reimbursement',
  'gift_card_reward',
  'admin_wallet_credited',
  'campaign_reward',
]
/** Between the wallets of the account, and coins that got another name. */
const INNER =
  /lock$|_lock\.|lockup_(lock|unlock|upgrade)|(_|\.)(un)?staking\b|_swap_|program_(created|withdrawn)|supercharger_(deposit|withdrawal)|council_node|purchase_(un)?lock/

/** Transactions of the Crypto.com app. */
export const cryptoCom: ImportFormat = {
  name: 'Crypto.com App',
  columns: [
    'Timestamp (UTC)',
    'Transaction Description',
    'Currency',
    'Amount',
    'To Currency',
    'Transaction Kind',
  ],
  read: lineByLine((row) => {
    const kind = row.get('Transaction Kind')
    const own = amountIn(row, 'Amount', row.get('Currency'))
    if (!own) return 'the amount is 0'
    const common = {
      at: timeIn(row, 'Timestamp (UTC)'),
      fees: [],
      note: noteOf(row.get('Transaction Description')),
    }
    if (CONVERTED.includes(kind))
      return { ...common, received: amountIn(row, 'To Amount', row.get('To Currency')), spent: own }
    if (AT_VALUE.includes(kind)) {
      const value = amountIn(row, 'Native Amount', row.get('Native Currency'))
      const isBuy = sign(numberIn(row, 'Amount') ?? ZERO) > 0
      return { ...common, received: isBuy ? own : value, spent: isBuy ? value : own }
    }
    if (MOVED.includes(kind)) return { ...common, ...signedMoveIn(row, 'Amount', row.get('Currency')) }
    if (kind === '') return { ...common, ...moveOf(own, isDeposit(row)) }
    if (INNER.test(kind)) return 'it moves between the wallets of the account'
    throw new Unreadable(`Transaction Kind: "${kind}" is not known`)
  }),
}

/** Files of currencies name no kind. */
function isDeposit(row: Row): boolean {
  const text = row.get('Transaction Description')
  if (/deposit/i.test(text)) return true
  if (/withdrawal/i.test(text)) return false
  throw new Unreadable(`Transaction Description: "${text}" is neither a deposit nor a withdrawal`)
}
