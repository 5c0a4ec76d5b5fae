export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'minor'] as const
export type Severity = (typeof SEVERITIES)[number]

/** What a check is about; texts are the same for every token. */
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

/** Every check that some source can answer, the gravest first. */
export const RISK_CHECKS: readonly RiskCheck[] = [
  check(
    ['risk_honeypot', 'critical', 'Honeypot'],
    [
      'Bought tokens cannot be sold',
      'Money may be lost entirely',
      'A simulated sale of the token fails: who buys it holds it for ever.',
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
      'Do not follow its name or its site',
      'The token was sent out unasked to lure holders into a fraud.',
    ],
  ),
  check(
    ['risk_rugged', 'critical', 'Rugged'],
    [
      'Its makers took the money and left',
      'It is worth nothing any more',
      'The liquidity was withdrawn, or the supply was sold off by those who issued it.',
    ],
  ),
  check(
    ['risk_excessive_fee', 'high', 'Excessive Fee'],
    [
      'A tenth or more is kept of each trade',
      'Trading it loses money',
      'Buying or selling takes a fee of at least 10 percent of the amount.',
    ],
  ),
  check(
    ['risk_blockable_transfer', 'high', 'Blockable Transfer'],
    [
      'Holders cannot sell all they have',
      'A part may stay behind',
      'The contract refuses a transfer of the whole balance.',
    ],
  ),
  check(
    ['risk_hidden_owner', 'high', 'Hidden Owner'],
    [
      'Control beside the visible owner',
      'Renounced ownership means little',
      'The contract keeps a second, concealed address with the rights of an owner.',
    ],
  ),
  check(
    ['risk_reclaimable_ownership', 'high', 'Reclaimable Ownership'],
    [
      'Given up ownership can come back',
      'Renounced ownership means little',
      'The contract has a way to regain ownership after it was renounced.',
    ],
  ),
  check(
    ['risk_self_destruct', 'high', 'Self Destruct'],
    [
      'The contract can delete itself',
      'All balances would be gone',
      'A role may destroy the contract together with its state.',
    ],
  ),
  check(
    ['risk_unverified_source', 'high', 'Unverified Source Code'],
    [
      'Nobody can read what it does',
      'Most checks are impossible',
      'The source code of the contract is not published, so its behaviour is unknown.',
    ],
  ),
  check(
    ['risk_serial_scam_creator', 'high', 'Creator of Scams'],
    [
      'Its creator made worthless tokens before',
      'It may become one later',
      'The account that created it also created tokens whose holders lost their money.',
    ],
  ),
  check(
    ['risk_personal_fee', 'high', 'Personal Fees'],
    [
      'A fee can be set for single holders',
      'Anyone may be singled out',
      'A role may give one address another fee than the rest.',
    ],
  ),
  check(
    ['risk_copycat', 'high', 'Copycat'],
    [
      'It imitates a known token',
      'It may be taken for the real one',
      'Name or symbol are those of another, established token.',
    ],
  ),
  check(
    ['risk_unlocked_liquidity', 'high', 'Unlocked Liquidity'],
    [
      'The liquidity can be withdrawn',
      'A sale may become impossible',
      'Most of the liquidity is neither locked nor burned: its providers may take it out at any time.',
    ],
  ),
  check(
    ['risk_centralized_mint', 'medium', 'Centralized Mint'],
    [
      'New tokens can be created',
      'Holdings can be diluted',
      'A role may mint any amount, which lowers the value of what is there.',
    ],
  ),
  check(
    ['risk_hidden_fees', 'medium', 'Hidden fees'],
    [
      'The fee can be changed',
      'It may rise after the purchase',
      'A role may change the fee of buying and selling at any time.',
    ],
  ),
  check(
    ['risk_blacklist', 'medium', 'Blacklist'],
    [
      'Addresses can be locked out',
      'Holdings can be frozen',
      'A role may put an address on a list that can no longer transfer.',
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
      'The contract is a proxy: its logic can be exchanged behind the same address.',
    ],
  ),
  check(
    ['risk_concentrated_holders', 'medium', 'Concentrated Ownership'],
    [
      'Few hold most of it',
      'One sale can move the price',
      'A single holder or the largest ten own a large part of the supply.',
    ],
  ),
  check(
    ['risk_low_liquidity', 'medium', 'Low Liquidity'],
    [
      'Little can be traded',
      'A sale moves the price',
      'The pools hold little, or depend on very few providers.',
    ],
  ),
  check(
    ['risk_whitelist', 'low', 'Whitelist'],
    [
      'Some addresses have privileges',
      'Rules differ between holders',
      'Addresses on a list are exempt from fees or limits, or alone may trade.',
    ],
  ),
  check(
    ['risk_cooldown', 'low', 'Cooldown checks'],
    [
      'Trades need a pause between them',
      'A quick sale may fail',
      'After a trade an address has to wait before the next one.',
    ],
  ),
  check(
    ['risk_basic_transfer_fee', 'low', 'Basic Transfer Fee'],
    [
      'A part of each trade is kept',
      'Less arrives than was sent',
      'Buying or selling takes a fee from the amount.',
    ],
  ),
  check(
    ['risk_external_call', 'low', 'External Call'],
    [
      'It depends on other contracts',
      'Their change is its change',
      'Main functions call other contracts, which may behave differently later.',
    ],
  ),
  check(
    ['risk_mutable_metadata', 'low', 'Mutable Metadata'],
    [
      'Name and picture can change',
      'It may pose as another token',
      'A role may change what the token says about itself.',
    ],
  ),
  check(
    ['risk_trade_limit', 'minor', 'Trade Limit'],
    [
      'Amounts are limited',
      'Large sales need many steps',
      'The contract limits how much one trade or one address may hold.',
    ],
  ),
]
