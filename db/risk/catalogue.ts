export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'minor'] as const
export type Severity = (typeof SEVERITIES)[number]

/** A check. Its texts are the same for every token. */
export interface RiskCheck {
  key: `risk_${string}`
  title: string
  severity: Severity
  subtitle: string
  note: string
  description: string
}

const check = (
  [key, severity, title]: [RiskCheck['key'], Severity, string],
  [subtitle, note, description]: [string, string, string],
): RiskCheck => ({ key, title, severity, subtitle, note, description })

/** Every check that a source can answer, most severe first. */
export const RISK_CHECKS: readonly RiskCheck[] = [
  check(
    ['risk_honeypot', 'critical', 'Honeypot'],
    [
      'Bought tokens cannot be sold',
      'The whole investment may be lost',
      'A simulated sale of the token fails, so buyers cannot sell it.',
    ],
  ),
  check(
    ['risk_balance_manipulation', 'critical', 'Balance Manipulation'],
    [
      'A privileged account can change balances',
      'Holdings can be taken away',
      'The contract lets a role set or reduce the balance of any holder.',
    ],
  ),
  check(
    ['risk_airdrop_scam', 'critical', 'Airdrop Scam'],
    [
      'Sent to wallets as bait',
      'Do not visit its web site',
      'The token was sent unrequested to lure holders into a fraud.',
    ],
  ),
  check(
    ['risk_rugged', 'critical', 'Rugged'],
    [
      'The issuers took the money and left',
      'The token is worthless',
      'The issuers withdrew the liquidity or sold off the supply.',
    ],
  ),
  check(
    ['risk_excessive_fee', 'high', 'Excessive Fee'],
    [
      'Each trade costs 10 percent or more',
      'Trading it loses money',
      'Buying or selling costs a fee of at least 10 percent of the amount.',
    ],
  ),
  check(
    ['risk_blockable_transfer', 'high', 'Blockable Transfer'],
    [
      'Holders cannot sell their whole balance',
      'A part may remain unsold',
      'The contract refuses a transfer of the whole balance.',
    ],
  ),
  check(
    ['risk_hidden_owner', 'high', 'Hidden Owner'],
    [
      'Someone besides the visible owner has control',
      'Renounced ownership means little',
      'The contract keeps a second, concealed address with the rights of an owner.',
    ],
  ),
  check(
    ['risk_reclaimable_ownership', 'high', 'Reclaimable Ownership'],
    [
      'Renounced ownership can be regained',
      'Renounced ownership means little',
      'The contract has a way to regain ownership after it was renounced.',
    ],
  ),
  check(
    ['risk_self_destruct', 'high', 'Self Destruct'],
    [
      'The contract can delete itself',
      'All balances would be lost',
      'A role may destroy the contract together with its state.',
    ],
  ),
  check(
    ['risk_unverified_source', 'high', 'Unverified Source Code'],
    [
      'The code cannot be reviewed',
      'Most checks are impossible',
      'The source code of the contract is not published, so its behaviour is unknown.',
    ],
  ),
  check(
    ['risk_serial_scam_creator', 'high', 'Creator of Scams'],
    [
      'Its creator made scam tokens before',
      'This token may become one too',
      'The account that created it also created tokens whose holders lost their money.',
    ],
  ),
  check(
    ['risk_personal_fee', 'high', 'Personal Fees'],
    [
      'Fees can be set for individual holders',
      'Any holder may be charged more',
      'A role may set a different fee for one address.',
    ],
  ),
  check(
    ['risk_copycat', 'high', 'Copycat'],
    [
      'It imitates a known token',
      'It may be mistaken for the real one',
      'It uses the name or symbol of another, established token.',
    ],
  ),
  check(
    ['risk_unlocked_liquidity', 'high', 'Unlocked Liquidity'],
    [
      'The liquidity can be withdrawn',
      'A sale may become impossible',
      'Most of the liquidity is neither locked nor burned, so its providers can withdraw it at any time.',
    ],
  ),
  check(
    ['risk_centralized_mint', 'medium', 'Centralized Mint'],
    [
      'New tokens can be created',
      'Holdings can be diluted',
      'A role may mint any amount, which lowers the value of existing tokens.',
    ],
  ),
  check(
    ['risk_hidden_fees', 'medium', 'Hidden fees'],
    [
      'The fee can be changed',
      'It may rise after the purchase',
      'A role may change the fee for buying and selling at any time.',
    ],
  ),
  check(
    ['risk_blacklist', 'medium', 'Blacklist'],
    [
      'Addresses can be blocked',
      'Holdings can be frozen',
      'A role may put an address on a list whose members cannot transfer.',
    ],
  ),
  check(
    ['risk_pausable', 'medium', 'Pausable'],
    ['Owner can stop transfers', 'Trading can be frozen', 'A role may halt every transfer.'],
  ),
  check(
    ['risk_upgradeable_proxy', 'medium', 'Upgradeable Contract'],
    [
      'The code can be replaced',
      'Other findings may change',
      'The contract is a proxy: its logic can be replaced at the same address.',
    ],
  ),
  check(
    ['risk_concentrated_holders', 'medium', 'Concentrated Ownership'],
    [
      'Few holders own most of the supply',
      'One sale can move the price',
      'A single holder or the largest ten own a large part of the supply.',
    ],
  ),
  check(
    ['risk_low_liquidity', 'medium', 'Low Liquidity'],
    [
      'Little can be traded',
      'A sale moves the price',
      'The pools hold little liquidity or depend on very few providers.',
    ],
  ),
  check(
    ['risk_whitelist', 'low', 'Whitelist'],
    [
      'Some addresses have privileges',
      'Rules differ between holders',
      'Addresses on a list are exempt from fees or limits, or are the only ones that may trade.',
    ],
  ),
  check(
    ['risk_cooldown', 'low', 'Cooldown checks'],
    [
      'Trades require a pause between them',
      'A quick sale may fail',
      'After a trade an address has to wait before the next one.',
    ],
  ),
  check(
    ['risk_basic_transfer_fee', 'low', 'Basic Transfer Fee'],
    [
      'Each trade costs a fee',
      'Less arrives than was sent',
      'Buying or selling costs a fee that is taken from the amount.',
    ],
  ),
  check(
    ['risk_external_call', 'low', 'External Call'],
    [
      'It depends on other contracts',
      'Changes there affect the token',
      'Main functions call other contracts, which may behave differently later.',
    ],
  ),
  check(
    ['risk_mutable_metadata', 'low', 'Mutable Metadata'],
    [
      'Name and picture can change',
      'It may pose as another token',
      'A role may change the name, symbol and picture of the token.',
    ],
  ),
  check(
    ['risk_trade_limit', 'minor', 'Trade Limit'],
    [
      'Amounts are limited',
      'Large sales need many steps',
      'The contract limits the amount of one trade or the balance of one address.',
    ],
  ),
]
